import type { DocumentSelection, LibraryFilter } from '@carrel/contracts';

/** A document as far as a choice needs it. */
export interface ChosenDocument { documentId: string; title: string; docpath: string | null; tags: string[]; failed: boolean; hasOriginal: boolean; pinned: boolean }

/**
 * What is chosen in a list: single documents, whole folders with all below them, or all that a filter finds. The last two
 * name no document, so that 100,000 are chosen as quickly as one.
 */
export interface Chosen { documents: ReadonlyMap<string, ChosenDocument>; folders: ReadonlySet<string>; all: { filter: Partial<LibraryFilter>; total: number } | null }
export const nothing: Chosen = { documents: new Map(), folders: new Set(), all: null };

export const isEmpty = (chosen: Chosen): boolean => chosen.all === null && chosen.documents.size === 0 && chosen.folders.size === 0;

/** The chosen folder that holds this one or is it. */
export const chosenFolderOf = (chosen: Chosen, folder: string): string | null => {
  for (let name = folder; ; name = name.slice(0, name.lastIndexOf('/'))) {
    if (chosen.folders.has(name)) return name;
    if (!name.includes('/')) return null;
  }
};
export const holds = (chosen: Chosen, documentId: string, folder?: string): boolean => chosen.all !== null || chosen.documents.has(documentId) || (folder !== undefined && chosenFolderOf(chosen, folder) !== null);

export function withDocuments(chosen: Chosen, documents: readonly ChosenDocument[], on: boolean): Chosen {
  const next = new Map(chosen.documents);
  for (const document of documents) {
    if (on) next.set(document.documentId, document);
    else next.delete(document.documentId);
  }
  return { documents: next, folders: chosen.folders, all: null };
}

/** A folder takes in what is chosen below it. */
export function withFolder(chosen: Chosen, folder: string, on: boolean): Chosen {
  const folders = new Set([...chosen.folders].filter((name) => name !== folder && !name.startsWith(`${folder}/`)));
  if (on) folders.add(folder);
  return { documents: chosen.documents, folders, all: null };
}

export const countChosen = (chosen: Chosen, deepCount: (folder: string) => number): number => chosen.all?.total ?? chosen.documents.size + [...chosen.folders].reduce((sum, folder) => sum + deepCount(folder), 0);

/** Most ids in one request (contract). */
export const idsAtOnce = 5_000;

/** As the server wants it: a request for each. */
export function selectionsOf(chosen: Chosen): DocumentSelection[] {
  if (chosen.all) return [{ filter: completeFilter(chosen.all.filter) }];
  const ids = [...chosen.documents.keys()];
  const selections: DocumentSelection[] = [...chosen.folders].map((folder) => ({ filter: completeFilter({ folder, deep: true }) }));
  for (let at = 0; at < ids.length; at += idsAtOnce) selections.push({ documentIds: ids.slice(at, at + idsAtOnce) });
  return selections;
}
export const completeFilter = (filter: Partial<LibraryFilter>): LibraryFilter => ({ deep: false, search: '', kinds: [], tags: [], ...filter });
