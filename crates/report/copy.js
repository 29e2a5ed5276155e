// Adds a button to every command and formula that copies it. Without scripts the page is complete, and a click on a
// command selects all of it. Text is only read from the page, never interpreted.
for (const text of document.querySelectorAll("code.copy, pre.formula code")) {
  const button = document.createElement("button");
  const say = (copied) => { button.textContent = copied ? "copied" : "press Ctrl-C"; };
  const select = () => {
    const range = document.createRange();
    range.selectNodeContents(text);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    say(document.execCommand("copy"));
  };
  button.type = "button";
  button.className = "clip";
  button.textContent = "copy";
  button.addEventListener("click", () => {
    if (navigator.clipboard) navigator.clipboard.writeText(text.textContent).then(() => say(true), select);
    else select();
  });
  (text.closest("pre") || text).after(button);
}
