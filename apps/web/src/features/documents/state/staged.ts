import type { DocumentSelection } from '@carrel/contracts';
import { createStore, useStore } from '../../../lib/store.ts';
import { completeFilter, type Chosen } from './chosen.ts';

/** Documents that were moved to a workspace and wait for Save and embed. They wait while one looks at other pages. */
export interface Staged { /** Single documents by id, with their names. */ documents: Record<string, string>; /** Folders, or all that a filter finds. */ filters: { selection: DocumentSelection; name: string; count: number }[] }

/** What is chosen in the library, ready to wait: without documents that could not be read. `deepCount`: of a folder with all below it. */
export const stagedOf = (chosen: Chosen, deepCount: (folder: string) => number, allName: string): Staged => ({
  documents: Object.fromEntries([...chosen.documents.values()].filter((document) => !document.failed).map(({ documentId, title }) => [documentId, title])),
  filters: chosen.all ? [{ selection: { filter: completeFilter(chosen.all.filter) }, name: allName, count: chosen.all.total }] : [...chosen.folders].map((folder) => ({ selection: { filter: completeFilter({ folder, deep: true }) }, name: folder, count: deepCount(folder) })),
});

const none: Staged = { documents: {}, filters: [] };
const staged = createStore<Record<string, Staged>>({});

/** What is there twice waits once. */
export const stage = (slug: string, more: Staged): void => staged.set((all) => {
  const before = all[slug] ?? none;
  const known = new Set(before.filters.map((each) => JSON.stringify(each.selection)));
  return { ...all, [slug]: { documents: { ...before.documents, ...more.documents }, filters: [...before.filters, ...more.filters.filter((each) => !known.has(JSON.stringify(each.selection)))] } };
});
export const unstage = (slug: string): void => staged.set(({ [slug]: _, ...rest }) => rest);
export const useStaged = (slug: string): Staged => useStore(staged, (all) => all[slug] ?? none);
