/** Limit on a PDF's pages, above even a legal compendium. */
export const maxPages = 20_000;
/**
 * What each page that was read adds to the time limit of parsing, so that long documents are read as
 * long as they get on: reading one of 20,000 pages takes 20 ms, and several times as long beside other
 * work.
 */
export const msPerPage = 100;

/*
 * How far the file that this thread reads has come. A thread reads one file at a time, so the count
 * is the module's instead of an argument of every parser.
 */
let note: () => void = () => undefined;

/** From now on, `onPage` is called for each page that is read. */
export function watchPages(onPage: () => void): void {
  note = onPage;
}

/** Called by parsers of files whose time depends on their pages. */
export const notePage = (): void => note();
