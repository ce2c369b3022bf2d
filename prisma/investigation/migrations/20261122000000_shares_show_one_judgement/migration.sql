-- Snapshots taken before this migration hold the session's id, the ids and times of all judgements, and the whole result of the
-- judgement before the published one. A share shows the published judgement alone, so these members are cut out.
--
-- They lie between `judgement` and `input`. The text is cut without being parsed, for JSON with the escape of NUL in it does not
-- parse into values here. A quote inside a JSON string has a backslash before it, so what is searched for matches no text of a
-- user, and no result has a member called `input`.
UPDATE "shares"
SET "snapshot" =
    left("snapshot", strpos("snapshot", ',"judgements":[') - 1)
    || substr("snapshot", strpos("snapshot", ',"judgements":[')
        + strpos(substr("snapshot", strpos("snapshot", ',"judgements":[')), ',"input":{') - 1)
WHERE strpos("snapshot", ',"judgements":[') > 0;
