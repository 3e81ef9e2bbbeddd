import { ColumnCells, cellKind, isYear, mostly } from "./column-cells.ts";
import { countOwn, type SheetRow } from "./sheet-row.ts";

/**
 * Words that name columns in any subject, in the languages that files most often have. Words that
 * are as common among values ("open", "other") or label rows ("total") are left out.
 */
const columnWords = new Set(
  `
  address amount author category city class code colour color column comment company contact count
  country created currency customer date department description email event field file format gender
  group id item key kind label language level link location manager mode model name note notes number
  object order owner parameter phone place position price priority product property quantity reference
  region role section sex size sort source species state status street subject tag target time title
  topic type unit updated url user value variable vendor version weight year zip
  abteilung adresse anzahl artikel art autor bemerkung beschreibung betrag bezeichnung datum einheit
  farbe feld firma gewicht größe gruppe kategorie klasse kunde land menge nachname nummer ort preis
  quelle rolle sprache stadt stand straße telefon titel typ vorname wert zeit
  adresse auteur catégorie client commentaire couleur date description groupe langue lieu montant nom
  numéro pays poids prénom prix produit quantité rôle référence sexe statut taille titre téléphone
  unité valeur ville état
  apellido autor cantidad categoría ciudad cliente clase código descripción dirección estado fecha grupo
  idioma importe lugar nombre país peso precio producto tamaño teléfono tipo título unidad valor
  autore categoria cliente città codice cognome colore data descrizione gruppo importo indirizzo lingua
  luogo nome paese prezzo prodotto quantità ruolo stato taglia titolo unità valore
  categoria cidade cor data descrição endereço estado grupo língua nome país preço produto quantidade
  tamanho unidade
  aantal adres beschrijving bedrag categorie datum eenheid groep kleur klant land naam plaats prijs
  soort stad status taal titel waarde
  adres cena data ilość imię język kategoria klient kraj kwota miasto nazwa nazwisko numer opis rodzaj
  stan tytuł wartość
  beskrivning datum enhet grupp kategori kund namn ort pris språk storlek värde
  адрес валюта вид год город группа дата имя категория класс код количество название номер описание
  статус страна сумма тип цена язык
  `
    .trim()
    .split(/\s+/),
);

const longestColumnName = 40;

/** Whether a cell is the usual name of a column: "Type", "unit_price", "Nom du client". */
function isCommonName(text: string): boolean {
  if (text.length > longestColumnName) return false;
  const parts = text
    .normalize("NFC")
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((part) => part !== "");
  return parts.length > 0 && (columnWords.has(parts[0]!) || columnWords.has(parts.at(-1)!));
}

/** Positions of the first and the last row that name the columns. */
export interface HeaderRows {
  first: number;
  last: number;
  /** Whether the file hints at them, or cells below differ in kind from their names. */
  isSure: boolean;
}

const longestGroupName = 40;
const isAmount = (text: string): boolean => /^(?:number|date)$/.test(cellKind(text));

/** Whether its cells can be names of columns. */
function canName(row: SheetRow): boolean {
  const amounts: string[] = [];
  for (const [column, value] of row.cells) {
    if (row.merged?.has(column)) continue;
    const kind = cellKind(value);
    if (kind === "link") return false;
    if (kind === "number" || kind === "date") amounts.push(value);
  }
  return amounts.length === 0 || isSeries(amounts, countOwn(row) - amounts.length);
}

/** Number of cells that label what is behind or beside them: "Client: Ada", "Client:". */
const countLabelled = (row: SheetRow): number =>
  [...row.cells.values()].filter((value) => /^[^:]{1,40}:(?:\s|$)/.test(value)).length;

/** Whether a row alone may name the columns of the rows that follow after a gap. */
export const mayBeNames = (row: SheetRow): boolean => canName(row) && countLabelled(row) === 0;

/**
 * Finds the rows that name the columns, if any, by how they differ from the rows below. `likely` is
 * the position that the file hints at: the last of the rows that stay in view or are printed on
 * each page.
 */
export function findHeader(rows: readonly SheetRow[], likely: number | null): HeaderRows | null {
  const columns = new Map<number, ColumnCells>();
  const sureRows = new Set<number>();
  const repeated = findRepeated(rows);
  let best: { at: number; score: number } | null = null;
  let body = 0;
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at]!;
    if (countOwn(row) < 2 || repeated.has(row)) continue;
    const below = rows.slice(at + 1);
    if (body > 0 && (canName(row) || (isFirst(rows, at) && namesBeside(row, below, columns)))) {
      const used = [...columns].filter(([, { filled }]) => filled * 2 >= body);
      const { covered, sure, alike } = compareTo(row, used, numberedNames(row, below));
      const size = Math.max(1, used.length);
      const score =
        covered / size +
        (sure - alike) / (2 * size) -
        Math.min(0.3, countLabelled(row) * 0.3) -
        penaltyForRowsAbove(rows.slice(0, at), sure > 0) +
        (at === likely ? 0.5 : 0);
      const differs =
        sure > 0
          ? (sure > alike || (sure === alike && isFirst(rows, at))) && !isBelowBody(rows, at, used)
          : alike === 0 && isWidest(rows, at);
      if (sure > alike) sureRows.add(at);
      if (covered * 2 >= size && (differs || at === likely) && score >= (best?.score ?? 0.5))
        best = { at, score };
    }
    body++;
    for (const [column, value] of row.cells) {
      let cells = columns.get(column);
      if (!cells) columns.set(column, (cells = new ColumnCells()));
      cells.add(value);
    }
  }
  if (!best) return null;
  const { at } = best;
  const isGroup = sureRows.has(at + 1) && isGroupRow(rows[at]!, rows[at + 1]!);
  return extendHeader(rows, isGroup ? at + 1 : at, sureRows.has(at) || at === likely);
}

/** Rows that repeat an earlier one, as names do on each page. */
function findRepeated(rows: readonly SheetRow[]): Set<SheetRow> {
  const seen = new Set<string>();
  return new Set(
    rows.filter((row) => {
      const key = JSON.stringify([...row.cells]);
      return seen.has(key) || !seen.add(key);
    }),
  );
}

/**
 * How a row's cells compare to the columns below. A usual name of a column may also be one of its
 * values ("Type" over "Type" and "Class") if another cell is a name as well, or if it is one of
 * several values.
 */
function compareTo(row: SheetRow, used: [number, ColumnCells][], numbered: ReadonlySet<number>) {
  let [covered, sure, alike] = [0, 0, 0];
  let hasNames = false;
  const usual: number[] = [];
  for (const [column, cells] of used) {
    const name = row.cells.get(column);
    if (name === undefined) continue;
    covered++;
    const difference = cells.compare(name);
    const isUsual = isCommonName(name);
    if (difference > 0) sure++;
    else if (difference < 0 && isUsual) usual.push(cells.shareOf(name));
    else if (difference < 0 && !numbered.has(column)) alike++;
    if (difference > 0 || (difference === 0 && isUsual)) hasNames = true;
  }
  if (!hasNames) alike += usual.filter((share) => share >= 0.5).length;
  return { covered, sure, alike };
}

/** Rows with several cells above the names are an exception: the client, the period. */
function penaltyForRowsAbove(above: readonly SheetRow[], isSure: boolean): number {
  const penalties = above
    .filter((row) => countOwn(row) > 1)
    .map((row) => (countLabelled(row) > 0 ? 0.05 : isSure ? 0.15 : 0.4));
  return Math.min(
    0.45,
    penalties.reduce((sum, penalty) => sum + penalty, 0),
  );
}

/** Whether all rows above have fewer cells, as the lines above a table have. */
const isWidest = (rows: readonly SheetRow[], at: number): boolean =>
  rows.slice(0, at).every((row) => countOwn(row) < countOwn(rows[at]!));

/** Whether all rows above have one cell, as titles have. */
const isFirst = (rows: readonly SheetRow[], at: number): boolean =>
  rows.slice(0, at).every((row) => countOwn(row) < 2);

/** Whether a row above is filled like the rows below, with the same kinds of cells. */
function isBelowBody(
  rows: readonly SheetRow[],
  at: number,
  used: [number, ColumnCells][],
): boolean {
  const telling = used.filter(([, cells]) => cells.share("number", "date") >= mostly);
  return (
    telling.length > 0 &&
    rows
      .slice(Math.max(0, at - 3), at)
      .some(
        (row) =>
          row.cells.size >= used.length * 0.8 &&
          !canName(row) &&
          telling.every(([column]) => isAmount(row.cells.get(column) ?? "")),
      )
  );
}

/** Unit of measurement: "(kg)", "[m/s]", "EUR", "%". */
const isUnit = (text: string): boolean =>
  /^(?:[[(][^\])]{1,15}[\])]|%|°[CF]?|\p{Sc}|[\p{L}µ°]{1,3}[²³]?(?:\/[\p{L}²³]{1,4})?)$/u.test(
    text,
  );

/** Adds rows of groups above the names ("2023" over "Q1 | Q2") and a row of units below. */
export function extendHeader(rows: readonly SheetRow[], at: number, isSure: boolean): HeaderRows {
  let first = at;
  while (first > 0 && isGroupRow(rows[first - 1]!, rows[first]!)) first--;
  return { first, last: isUnitRow(rows, at + 1) ? at + 1 : at, isSure };
}

function isUnitRow(rows: readonly SheetRow[], at: number): boolean {
  const [row, ...below] = rows.slice(at);
  if (row === undefined || below.length === 0) return false;
  const units = [...row.cells].filter(([, value]) => isUnit(value));
  return (
    units.length * 2 > row.cells.size &&
    ![...row.cells.values()].some(isAmount) &&
    units.every(([column]) => {
      const kinds = below.map(({ cells }) => cellKind(cells.get(column) ?? "-"));
      return kinds.includes("number") && kinds.every((kind) => /^(?:number|missing)$/.test(kind));
    })
  );
}

/**
 * Whether a row groups the columns named below it: with merged cells, or, where names below are
 * repeated, with cells that start a group.
 */
function isGroupRow(row: SheetRow, names: SheetRow): boolean {
  const [firstColumn] = row.cells.keys();
  const [firstName] = names.cells.keys();
  const isMerged = (row.merged?.size ?? 0) > 0;
  const startsInside = isMerged && firstColumn! > firstName!;
  if (countOwn(row) < 2 && !startsInside) return false;
  if (countLabelled(row) > 0 || !canName(row)) return false;
  const values = [...row.cells.values()];
  if (values.some((value) => value.length > longestGroupName)) return false;
  if (isMerged) return true;
  return new Set(names.cells.values()).size < names.cells.size && row.cells.size < names.cells.size;
}

/** The name of each column, joined from the rows that name it. */
export function nameColumns(rows: readonly SheetRow[]): Map<number, string> {
  const names = new Map<number, Set<string>>();
  const add = (column: number, name: string): void => {
    const parts = names.get(column) ?? new Set();
    names.set(column, parts.add(name.replace(/\s+/g, " ").trim()));
  };
  for (const [i, { cells, merged }] of rows.entries()) {
    const below = rows[i + 1];
    for (const [column, name] of cells) add(column, name);
    if (!below || merged?.size) continue;
    // Without merged cells, a group reaches to the next one.
    let group: string | undefined;
    for (const column of below.cells.keys()) {
      if (!cells.has(column) && group !== undefined) add(column, group);
      group = cells.get(column) ?? group;
    }
  }
  return new Map([...names].map(([column, parts]) => [column, [...parts].join(" ")]));
}

/**
 * Whether rows of two cells are names and values, one below the other: labels with colons, or
 * values of different kinds.
 */
export function isKeyValueList(rows: readonly SheetRow[]): boolean {
  const pairs = rows.filter((row) => countOwn(row) > 1).map((row) => [...row.cells]);
  const [key, value] = pairs[0] ?? [];
  if (
    !pairs.every(
      (pair) => pair.length === 2 && pair[0]![0] === key![0] && pair[1]![0] === value![0],
    )
  )
    return false;
  const keys = pairs.map(([cell]) => cell![1]);
  if (pairs.length > 1 && keys.filter((text) => text.endsWith(":")).length * 2 > keys.length)
    return true;
  if (pairs.length < 3 || new Set(keys).size < keys.length) return false;
  if (!keys.every((text) => text.length <= longestGroupName && cellKind(text) === "text"))
    return false;
  const values = new ColumnCells();
  for (const pair of pairs.slice(1)) values.add(pair[1]![1]);
  return (
    values.share("text") > 0 &&
    values.share("number", "date", "link") > 0 &&
    (["number", "date", "text", "link"] as const).every((kind) => values.share(kind) < mostly)
  );
}

/* Numbers name columns too: years, days, sizes. Judged alone, and beside the rows below. */

/** Years, dates, and numbers that count up by one: "2021 | 2022", "1 | 2 | 3". */
function isSeries(values: readonly string[], texts: number): boolean {
  if (new Set(values).size < values.length || new Set(values.map(cellKind)).size > 1) return false;
  // A single one among texts could be the value of a label.
  if (cellKind(values[0]!) === "date" || values.every(isYear))
    return values.length > 1 || texts > 1;
  return values.length > 2 && values.every((value, i) => Number(value) === Number(values[0]) + i);
}

const plainNumber = /^\d+(?:[.,]\d+)?(?=\s?%?$)/;
const isShare = (text: string): boolean => /^[\d.,]+\s?%$/.test(text);
const amount = (text: string): number =>
  Number(plainNumber.exec(text)?.[0].replace(",", ".") ?? Number.NaN);

/** Whether the numbers in some columns grow from each to the next: sizes, thresholds. */
function rises({ cells }: SheetRow, columns: readonly number[]): boolean {
  const numbers = columns.map((column) => amount(cells.get(column) ?? ""));
  return numbers.every((number, i) => !Number.isNaN(number) && !(number <= numbers[i - 1]!));
}

/**
 * Whether a row with numbers names the columns, as seen from the rows below: its texts stand over
 * numbers, or its numbers rise, which those below don't.
 */
function namesBeside(
  row: SheetRow,
  below: readonly SheetRow[],
  columns: ReadonlyMap<number, ColumnCells>,
): boolean {
  const cells = [...row.cells];
  const numbers = cells.filter(([, value]) => cellKind(value) === "number");
  const texts = cells.filter(([, value]) => cellKind(value) === "text");
  if (texts.length === 0 || texts.length + numbers.length < cells.length) return false;
  if (texts.every(([column]) => (columns.get(column)?.share("number", "date") ?? 0) >= mostly))
    return true;
  const at = numbers.map(([column]) => column);
  if (!rises(row, at)) return false;
  if (numbers.every(([, value]) => isShare(value)))
    return (
      numbers.length > 1 && !below.some((one) => at.some((n) => isShare(one.cells.get(n) ?? "")))
    );
  return numbers.length > 2 && below.filter((one) => rises(one, at)).length * 2 <= below.length;
}

const stemOf = (text: string): string => text.replace(/\d+$/, "").trim();

/** Columns named by one word that is numbered, which no cell below starts with: "Seat1 | Seat2". */
function numberedNames(row: SheetRow, below: readonly SheetRow[]): ReadonlySet<number> {
  const codes = [...row.cells].filter(([, value]) => cellKind(value) === "code");
  const stem = stemOf(codes[0]?.[1] ?? "");
  const numbers = codes.map(([, value]) => Number(value.slice(stem.length)));
  const isNumbered =
    codes.length > 1 &&
    /\p{L}$/u.test(stem) &&
    codes.every(([, value], i) => stemOf(value) === stem && numbers[i] === numbers[0]! + i) &&
    !below.some(({ cells }) => codes.some(([column]) => stemOf(cells.get(column) ?? "") === stem));
  return new Set(isNumbered ? codes.map(([column]) => column) : []);
}
