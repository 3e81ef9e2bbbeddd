import { describe, expect, it } from '@jest/globals';
import { chosenFolderOf, countChosen, holds, isEmpty, nothing, selectionsOf, withDocuments, withFolder, type ChosenDocument } from './chosen.ts';

const document = (documentId: string): ChosenDocument => ({ documentId, title: documentId, docpath: null, tags: [], failed: false, hasOriginal: true, pinned: false });

describe('what is chosen', () => {
  it('holds documents, folders with what is below them, or all that a filter finds', () => {
    let chosen = withDocuments(nothing, [document('a'), document('b')], true);
    chosen = withFolder(withFolder(chosen, 'x/y', true), 'x', true);
    expect([...chosen.folders]).toEqual(['x']);
    expect(holds(chosen, 'q', 'x/y/z')).toBe(true);
    expect(holds(chosen, 'q', 'xy')).toBe(false);
    expect(chosenFolderOf(chosen, 'x/y')).toBe('x');
    expect(countChosen(chosen, () => 40)).toBe(42);
    expect(selectionsOf(chosen)).toEqual([{ filter: { folder: 'x', deep: true, search: '', kinds: [], tags: [] } }, { documentIds: ['a', 'b'] }]);
    expect(isEmpty(withFolder(withDocuments(chosen, [document('a'), document('b')], false), 'x', false))).toBe(true);
  });
  it('names no document where all of 100,000 are meant', () => {
    const all = { ...nothing, all: { filter: { search: 'boiler' }, total: 100_000 } };
    expect(holds(all, 'any')).toBe(true);
    expect(countChosen(all, () => 0)).toBe(100_000);
    expect(selectionsOf(all)).toEqual([{ filter: { search: 'boiler', deep: false, kinds: [], tags: [] } }]);
    expect(withDocuments(all, [document('a')], true).all).toBeNull();
  });
  it('sends many ids in portions that the server takes', () => {
    const many = withDocuments(nothing, Array.from({ length: 25_000 }, (_, n) => document(String(n))), true);
    expect(selectionsOf(many).map((each) => ('documentIds' in each ? each.documentIds.length : 0))).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
  });
});
