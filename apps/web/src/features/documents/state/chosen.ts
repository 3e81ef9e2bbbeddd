import type { DocumentSelection, LibraryFilter } from "@carrel/contracts";

/** A document as far as a choice needs it. */
export interface ChosenDocument {
  documentId: string;
  title: string;
  docpath: string | null;
  tags: string[];
  failed: boolean;
  hasOriginal: boolean;
  pinned: boolean;
}

/**
 * What was taken out of all again: documents, each with its folder (null where that does not
 * matter), and folders with all below them.
 */
export interface Exceptions {
  documents: ReadonlyMap<string, string | null>;
  folders: ReadonlySet<string>;
}
/**
 * What is chosen in a list: single documents, whole folders with all below them, or all that a
 * filter finds but a few. The
 * last two name no document, so that 100,000 are chosen as quickly as one.
 */
export interface Chosen {
  documents: ReadonlyMap<string, ChosenDocument>;
  folders: ReadonlySet<string>;
  all: { filter: Partial<LibraryFilter>; total: number; except?: Exceptions } | null;
}
export const nothing: Chosen = { documents: new Map(), folders: new Set(), all: null };

export const isEmpty = (chosen: Chosen): boolean =>
  chosen.all === null && chosen.documents.size === 0 && chosen.folders.size === 0;

/** The folder of these that holds this one or is it. */
const folderAmong = (folders: ReadonlySet<string>, folder: string): string | null => {
  for (let name = folder; ; name = name.slice(0, name.lastIndexOf("/"))) {
    if (folders.has(name)) return name;
    if (!name.includes("/")) return null;
  }
};
/** The chosen folder that holds this one or is it. */
export const chosenFolderOf = (chosen: Chosen, folder: string): string | null =>
  folderAmong(chosen.folders, folder);
const noExceptions: Exceptions = { documents: new Map(), folders: new Set() };
const exceptionsOf = (chosen: Chosen): Exceptions => chosen.all?.except ?? noExceptions;
/** All, without an exception. */
export const isWhole = (chosen: Chosen): boolean =>
  chosen.all !== null &&
  exceptionsOf(chosen).documents.size + exceptionsOf(chosen).folders.size === 0;
export function holds(chosen: Chosen, documentId: string, folder?: string): boolean {
  if (chosen.all)
    return (
      !exceptionsOf(chosen).documents.has(documentId) &&
      (folder === undefined || folderAmong(exceptionsOf(chosen).folders, folder) === null)
    );
  return (
    chosen.documents.has(documentId) ||
    (folder !== undefined && chosenFolderOf(chosen, folder) !== null)
  );
}
/** A folder with all below it; of all but some below it, too, as of what is ticked in part. */
export const holdsFolder = (chosen: Chosen, folder: string): boolean =>
  chosen.all
    ? folderAmong(exceptionsOf(chosen).folders, folder) === null
    : chosenFolderOf(chosen, folder) !== null;

/** Whether what is in this folder is chosen, or left out, with a folder as a whole. */
export const goesWithFolder = (chosen: Chosen, folder: string): boolean =>
  folderAmong(chosen.all ? exceptionsOf(chosen).folders : chosen.folders, folder) !== null;

const withExceptions = (chosen: Chosen, except: Exceptions): Chosen =>
  chosen.all === null || except.documents.size > idsAtOnce || except.folders.size > foldersAtOnce
    ? chosen
    : { ...chosen, all: { ...chosen.all, except } };
/**
 * Takes a document out of all, or puts it back; one of a folder that was taken out stays out with
 * it.
 */
export function turnException(chosen: Chosen, documentId: string, folder: string | null): Chosen {
  const { documents, folders } = exceptionsOf(chosen);
  if (folder !== null && folderAmong(folders, folder) !== null) return chosen;
  const next = new Map(documents);
  if (!next.delete(documentId)) next.set(documentId, folder);
  return withExceptions(chosen, { documents: next, folders });
}
/** Takes a folder out of all, with what was taken out below it before, or puts it back. */
export function turnFolderException(chosen: Chosen, folder: string): Chosen {
  const { documents, folders } = exceptionsOf(chosen);
  const next = new Set(folders);
  if (next.delete(folder)) return withExceptions(chosen, { documents, folders: next });
  if (folderAmong(folders, folder) !== null) return chosen;
  const isBelow = (name: string | null): boolean =>
    name === folder || (name?.startsWith(`${folder}/`) ?? false);
  return withExceptions(chosen, {
    documents: new Map([...documents].filter(([, of]) => !isBelow(of))),
    folders: new Set([...folders].filter((name) => !isBelow(name))).add(folder),
  });
}

export function withDocuments(
  chosen: Chosen,
  documents: readonly ChosenDocument[],
  on: boolean,
): Chosen {
  const next = new Map(chosen.documents);
  for (const document of documents) {
    if (on) next.set(document.documentId, document);
    else next.delete(document.documentId);
  }
  return { documents: next, folders: chosen.folders, all: null };
}

/** A folder takes in what is chosen below it. */
export function withFolder(chosen: Chosen, folder: string, on: boolean): Chosen {
  const folders = new Set(
    [...chosen.folders].filter((name) => name !== folder && !name.startsWith(`${folder}/`)),
  );
  if (on) folders.add(folder);
  return { documents: chosen.documents, folders, all: null };
}

export function countChosen(chosen: Chosen, deepCount: (folder: string) => number): number {
  const count = ({
    documents,
    folders,
  }: Pick<Chosen, "folders"> & { documents: ReadonlyMap<string, unknown> }): number =>
    documents.size + [...folders].reduce((sum, folder) => sum + deepCount(folder), 0);
  return chosen.all ? Math.max(0, chosen.all.total - count(exceptionsOf(chosen))) : count(chosen);
}

/** Most ids, and folders left out, in one request (contract). */
export const idsAtOnce = 5_000;
const foldersAtOnce = 200;

/** As the server wants it: a request for each. */
export function selectionsOf(chosen: Chosen): DocumentSelection[] {
  if (chosen.all) {
    const { documents, folders } = exceptionsOf(chosen);
    return [
      {
        filter: completeFilter(chosen.all.filter),
        ...(isWhole(chosen)
          ? {}
          : { except: { documentIds: [...documents.keys()], folders: [...folders] } }),
      },
    ];
  }
  const ids = [...chosen.documents.keys()];
  const selections: DocumentSelection[] = [...chosen.folders].map((folder) => ({
    filter: completeFilter({ folder, deep: true }),
  }));
  for (let at = 0; at < ids.length; at += idsAtOnce)
    selections.push({ documentIds: ids.slice(at, at + idsAtOnce) });
  return selections;
}
export const completeFilter = (filter: Partial<LibraryFilter>): LibraryFilter => ({
  deep: false,
  search: "",
  kinds: [],
  tags: [],
  ...filter,
});
