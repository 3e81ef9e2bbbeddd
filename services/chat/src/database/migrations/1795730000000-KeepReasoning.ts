import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Which parts of an answer are reasoning, for clients that show it apart, and searches that find
 * only answers. Answers stored before keep their words in the index until they change.
 */
export class KeepReasoning1795730000000 implements MigrationInterface {
  readonly name = "KeepReasoning1795730000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE turn ADD COLUMN reasoning jsonb");
    // Spans count UTF-16 units, so characters of two units are followed by a filler. Without a valid
    // record, only what an answer begins with is reasoning; each tag is read once, and an unclosed
    // one ends it.
    await runner.query(`CREATE FUNCTION without_reasoning(answer text, known jsonb) RETURNS text
      LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
      DECLARE
        units integer := (known->>'length')::integer;
        filled text := answer;
        span record;
        steps text[] := '{}';
        rest text := answer;
        place integer := 0;
      BEGIN
        IF units <> length(answer) THEN
          filled := regexp_replace(
            answer, '([\\U00010000-\\U0010FFFF])', E'\\\\1\\x01', 'g'
          );
        END IF;
        IF units = length(filled) THEN
          FOR span IN
            SELECT (value->>'start')::integer AS first, (value->>'end')::integer AS after
            FROM jsonb_array_elements(known->'spans')
          LOOP
            steps := steps || substr(filled, place + 1, greatest(span.first - place, 0));
            place := span.after;
          END LOOP;
          rest := substr(filled, place + 1);
          RETURN ltrim(
            replace(array_to_string(steps || rest, ' '), E'\\x01', ''), E' \\t\\r\\n'
          );
        END IF;
        LOOP
          place := position('<think>' IN rest);
          EXIT WHEN place = 0 OR btrim(left(rest, place - 1), E' \\t\\r\\n') <> '';
          rest := substr(rest, place + 7);
          place := position('</think>' IN rest);
          rest := CASE WHEN place = 0 THEN '' ELSE substr(rest, place + 8) END;
        END LOOP;
        RETURN ltrim(rest, E' \\t\\r\\n');
      END $$`);
    await this.indexWords(runner, "SCHEMA.without_reasoning(NEW.answer, NEW.reasoning)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.indexWords(runner, "NEW.answer");
    await runner.query("DROP FUNCTION without_reasoning");
    await runner.query("ALTER TABLE turn DROP COLUMN reasoning");
  }

  private async indexWords(runner: QueryRunner, answer: string): Promise<void> {
    const [row] = (await runner.query("SELECT current_schema() AS schema")) as { schema: string }[];
    const schema = `"${row!.schema}"`;
    await runner.query(`CREATE OR REPLACE FUNCTION save_turn_words() RETURNS trigger
      LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO ${schema}.turn_word (turn_id, words)
        VALUES (NEW.id, ${schema}.turn_words(NEW.user_id, NEW.question, ${answer.replace("SCHEMA", schema)}))
        ON CONFLICT (turn_id) DO UPDATE SET words = excluded.words;
      RETURN NULL; END $$`);
  }
}
