/** An agent's answer that was stopped: existing clients never see it (wire-contract 5.6). */
export const stoppedAgentTurn = "(turn.mode = 'automatic' AND turn.state = 'cancelled')";

/**
 * What the steps of an answer have made and asked, each null if nothing. Existing clients show one
 * chart in an answer, the last, above its text. Steps that have neither aren't parsed.
 */
export const madeBySteps = `
  WITH made AS (
    SELECT output, row_number() OVER () AS place
    FROM json_array_elements(turn.steps) AS step, json_array_elements(step->'outputs') AS output
    WHERE step->>'state' = 'done'
  )
  SELECT
    (
      SELECT json_build_object(
        'type', output->'chart', 'dataset', (output->'rows')::text, 'title', output->'title',
        'caption', btrim(regexp_replace(turn.answer, '<think>.*?</think>', '', 'g'), E' \\n')
      )::text
      FROM made WHERE output->>'type' = 'chart' ORDER BY place DESC LIMIT 1
    ) AS chart,
    (
      SELECT json_agg(json_build_object(
        'type', 'fileDownloadCard',
        'payload', json_build_object(
          'filename', output->'name', 'storageFilename', output->'file', 'fileSize', output->'size'
        )
      ) ORDER BY place)::text
      FROM made WHERE output->>'type' = 'file'
    ) AS files,
    (
      SELECT json_agg(json_build_object('questions', form->'questions', 'result', result)
        ORDER BY place)::text
      FROM (
        SELECT step->'form' AS form, place
        FROM json_array_elements(turn.steps) WITH ORDINALITY AS asked(step, place)
        WHERE json_typeof(step->'form'->'answers') = 'array'
      ) replied
      CROSS JOIN LATERAL (
        SELECT json_build_object(
          'skipped', bool_and(json_typeof(given) = 'null'),
          'answers', json_agg(
            json_build_object('skipped', json_typeof(given) = 'null', 'answer', given)
            ORDER BY number
          )
        ) AS result
        FROM json_array_elements(form->'answers') WITH ORDINALITY AS reply(given, number)
      ) told
    ) AS forms
  WHERE turn.steps::text LIKE '%"outputs":[{%' OR turn.steps::text LIKE '%"answers":[%'`;
