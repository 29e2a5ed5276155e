// A solver with two planted bugs: it fails an assertion on every formula with bvxnor, and another on those with bvcomp.
// It answers sat to the rest. Sessions, push and pop are followed by the text that is in force.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[1 << 20];
static size_t stack[4096], depth, used;
static void check(void) {
    text[used] = 0;
    const char *line = strstr(text, "bvcomp") ? "77" : strstr(text, "bvxnor") ? "42" : NULL;
    if (!line) { puts("sat"); return; }
    printf("ASSERTION VIOLATION\nFile: ../src/ast/rewriter/bv_rewriter.cpp\nLine: %s\nplanted\n", line);
    fflush(stdout);
    exit(114);
}
int main(int n, char **args) {
    for (int i = 1; i < n; i++) {
        if (!strcmp(args[i], "--version")) { puts("Z3 version 9.9.9 - 64 bit"); return 0; }
        if (args[i][0] != '-' && !strchr(args[i], '=') && !freopen(args[i], "r", stdin)) return 1;
    }
    static char command[1 << 20];
    size_t length = 0; int open = 0, in_string = 0, c;
    while ((c = getchar()) != EOF) {
        if (!open && c != '(') continue;
        if (length < sizeof command - 1) command[length++] = c;
        if (c == '"') in_string = !in_string;
        if (!in_string) { if (c == '(') open++; if (c == ')') open--; }
        if (open) continue;
        command[length] = 0;
        if (!strncmp(command, "(check-sat", 10)) check();
        else if (!strncmp(command, "(push", 5) && depth < 4096) stack[depth++] = used;
        else if (!strncmp(command, "(pop", 4)) { if (depth) used = stack[--depth]; }
        else if (!strncmp(command, "(reset", 6)) used = depth = 0;
        else if (!strncmp(command, "(exit", 5)) break;
        else if (!strncmp(command, "(echo ", 6)) { char *a = strchr(command, '"'); if (a) { a[strlen(a) - 2] = 0; puts(a + 1); } }
        else if (!strncmp(command, "(simplify true", 14)) puts("true");
        else if (used + length < sizeof text - 1) { memcpy(text + used, command, length); used += length; }
        length = 0; fflush(stdout);
    }
    return 0;
}
