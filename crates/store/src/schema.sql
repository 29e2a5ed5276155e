-- Small words (strategies, targets, verdicts, …) are stored once and named by their code.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE words (code INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);

-- scope: 0 the campaign, 1 a strategy, 2 a target, 3 a theory.
CREATE TABLE counters (
  scope INTEGER NOT NULL, name INTEGER NOT NULL, counter INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY (scope, name, counter)
) WITHOUT ROWID;

-- Which units of a strategy are done, lane by lane: unit = n * lanes + lane for each n in `done`.
CREATE TABLE cursors (
  strategy INTEGER NOT NULL, lane INTEGER NOT NULL, done TEXT NOT NULL, PRIMARY KEY (strategy, lane)
) WITHOUT ROWID;

CREATE TABLE cases (
  strategy INTEGER NOT NULL, unit INTEGER NOT NULL, step INTEGER NOT NULL,
  hash BLOB NOT NULL, verdict INTEGER NOT NULL,
  PRIMARY KEY (strategy, unit, step)
) WITHOUT ROWID;

-- Only for cases with a finding, unless everything is recorded.
CREATE TABLE answers (
  strategy INTEGER NOT NULL, unit INTEGER NOT NULL, step INTEGER NOT NULL, target INTEGER NOT NULL,
  answer TEXT NOT NULL, ended INTEGER NOT NULL, session INTEGER NOT NULL, micros INTEGER NOT NULL,
  PRIMARY KEY (strategy, unit, step, target)
) WITHOUT ROWID;

-- `count` is every hit; `rows` are the hits with a row in findings; the rest is only counted.
CREATE TABLE bugs (
  id TEXT PRIMARY KEY, signature TEXT NOT NULL, kind TEXT NOT NULL, culprits TEXT NOT NULL,
  count INTEGER NOT NULL, rows INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  representative TEXT NOT NULL, triage TEXT NOT NULL
) WITHOUT ROWID;

-- coarse: the id of the signature it came with, before triage; kept: 1 if findings/<id>/ holds everything,
-- otherwise the recipe is what remains.
CREATE TABLE findings (
  id TEXT PRIMARY KEY, bug TEXT NOT NULL, coarse TEXT NOT NULL, kind TEXT NOT NULL, culprits TEXT NOT NULL, recipe TEXT NOT NULL,
  bytes INTEGER NOT NULL, found INTEGER NOT NULL, kept INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX findings_of_bug ON findings (bug, kept, bytes);
CREATE INDEX findings_of_coarse ON findings (coarse, kept, bug);

-- Where hits with a coarse signature go: to a bug of that name, until triage has found out which bug it is.
CREATE TABLE coarse (id TEXT PRIMARY KEY, bug TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE panics (
  id TEXT PRIMARY KEY, place TEXT NOT NULL, message TEXT NOT NULL, count INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL
) WITHOUT ROWID;

-- For people with a SQLite shell.
CREATE VIEW case_list AS
  SELECT s.word AS strategy, unit, step, lower(hex(hash)) AS hash, v.word AS verdict
  FROM cases JOIN words s ON s.code = strategy JOIN words v ON v.code = verdict;
CREATE VIEW counter_list AS
  SELECT CASE scope WHEN 0 THEN 'campaign' WHEN 1 THEN 'strategy' WHEN 2 THEN 'target' ELSE 'theory' END AS scope,
         n.word AS name, c.word AS counter, value
  FROM counters JOIN words n ON n.code = name JOIN words c ON c.code = counter;
