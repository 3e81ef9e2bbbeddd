import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Diacritics of Latin, Greek, Cyrillic, Hebrew and Arabic; keep in sync with
 * `search/search-words.ts`.
 */
const marks =
  "\\u0300-\\u036F\\u0483-\\u0487\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F";

/** Makes search ignore accents: u finds ü and vice versa. */
export class FoldSearchWords1795340000000 implements MigrationInterface {
  readonly name = "FoldSearchWords1795340000000";

  async up(runner: QueryRunner): Promise<void> {
    const lowered = await lower(runner, "normalize(left(given, 200000), NFKD)");
    // `unaccent` is an extension that is missing on some managed servers and on ours. Most texts
    // are pure ASCII and need no folding.
    await this.replace(
      runner,
      `CASE WHEN octet_length(given) = length(given) THEN left(${await lower(runner, "given")}, 200000) ELSE left(replace(replace(replace(replace(translate(
        normalize(regexp_replace(${lowered}, '[${marks}]', '', 'g'), NFKC), 'øđłıðħς', 'odlidhσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 200000) END`,
    );
    await this.rewrite(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.replace(runner, await lower(runner, "left(given, 200000)"));
    await this.rewrite(runner);
  }

  private async replace(runner: QueryRunner, folded: string): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION search_words(given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT to_tsvector('pg_catalog.simple', regexp_replace(regexp_replace(${folded},
        '[^[:alnum:]\\u00AA-\\uFFFF]|[\\u00AB\\u00B7\\u00BB\\u00BF\\u2000-\\u206F\\u3000-\\u303F\\uFF00-\\uFF0F\\uFF1A-\\uFF20]', ' ', 'g'),
        '([\\u2E80-\\u2FFF\\u3040-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7AF\\uF900-\\uFAFF])', ' \\1 ', 'g')) $$`);
  }

  /** Only non-ASCII texts can have different words now. */
  private async rewrite(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE turn_word SET words = turn_words(turn.user_id, turn.question, turn.answer) FROM turn
      WHERE turn.id = turn_word.turn_id AND (octet_length(turn.question) <> length(turn.question) OR octet_length(turn.answer) <> length(turn.answer))`);
  }
}

/** Uses ICU if the server has it, to be independent of the database's locale. */
async function lower(runner: QueryRunner, text: string): Promise<string> {
  const [icu] = (await runner.query(
    `SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu' LIMIT 1`,
  )) as unknown[];
  return icu === undefined ? `lower(${text})` : `lower(${text} COLLATE "und-x-icu")`;
}
