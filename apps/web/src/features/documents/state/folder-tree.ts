import type { listFolders, Out } from "@carrel/contracts";

export type FolderCount = Out<typeof listFolders>["folders"][number];
/**
 * Where documents are that are in no folder of anyone's making; the tree shows them at its root.
 */
export const rootFolder = "custom-documents";

export interface FolderNode {
  /** Its path, the key of everything. */ name: string;
  /** The last part of it. */ label: string;
  /** In it, not below it. */ documents: number;
  /** With all below it. */ deep: number;
  failed: number;
  children: FolderNode[];
}
export interface FolderTree {
  folders: FolderNode[];
  byName: Map<string, FolderNode>;
  /** Documents at the root. */ rootDocuments: number;
}

export const parentOf = (name: string): string =>
  name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : rootFolder;
const labelOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

/**
 * The folders as a tree. What `rootFolder` holds stands at the root, and a parent that was not
 * named is added.
 */
export function buildTree(
  counts: readonly FolderCount[],
  compare: (a: string, b: string) => number = (a, b) =>
    a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" }),
): FolderTree {
  const byName = new Map<string, FolderNode>();
  const folders: FolderNode[] = [];
  let rootDocuments = 0;
  const nodeOf = (name: string): FolderNode => {
    const known = byName.get(name);
    if (known) return known;
    const node: FolderNode = {
      name,
      label: labelOf(name),
      documents: 0,
      deep: 0,
      failed: 0,
      children: [],
    };
    byName.set(name, node);
    const parent = parentOf(name);
    (parent === rootFolder ? folders : nodeOf(parent).children).push(node);
    return node;
  };
  for (const { name, documents, failed } of counts) {
    if (name === rootFolder) rootDocuments = documents;
    else Object.assign(nodeOf(name), { documents, failed });
  }
  const finish = (nodes: FolderNode[]): void => {
    nodes.sort((a, b) => compare(a.label, b.label));
    for (const node of nodes) {
      finish(node.children);
      node.deep = node.documents + node.children.reduce((sum, child) => sum + child.deep, 0);
    }
  };
  finish(folders);
  return { folders, byName, rootDocuments };
}

/** A folder's row, or a run of document rows of one folder; `start` is the first row's number. */
export type Segment =
  | { kind: "folder"; start: number; level: number; node: FolderNode }
  | { kind: "documents"; start: number; level: number; folder: string; count: number };
export interface TreeRows {
  segments: Segment[];
  total: number;
}

/** What rows there are, without any document: a folder of 100,000 is one segment. */
export function rowsOf(tree: FolderTree, expanded: ReadonlySet<string>): TreeRows {
  const segments: Segment[] = [];
  let total = 0;
  const documents = (folder: string, count: number, level: number): void => {
    if (count === 0) return;
    segments.push({ kind: "documents", start: total, level, folder, count });
    total += count;
  };
  const walk = (nodes: FolderNode[], level: number): void => {
    for (const node of nodes) {
      segments.push({ kind: "folder", start: total, level, node });
      total += 1;
      if (!expanded.has(node.name)) continue;
      walk(node.children, level + 1);
      documents(node.name, node.documents, level + 1);
    }
  };
  walk(tree.folders, 0);
  documents(rootFolder, tree.rootDocuments, 0);
  return { segments, total };
}

export type TreeRow =
  | { kind: "folder"; level: number; node: FolderNode }
  | { kind: "document"; level: number; folder: string; offset: number };

/** The row at a number, by halving; null beyond the end. */
export function rowAt({ segments, total }: TreeRows, index: number): TreeRow | null {
  if (index < 0 || index >= total) return null;
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle]!.start <= index) low = middle;
    else high = middle - 1;
  }
  const segment = segments[low]!;
  return segment.kind === "folder"
    ? segment
    : {
        kind: "document",
        level: segment.level,
        folder: segment.folder,
        offset: index - segment.start,
      };
}

/** The number of a folder's row, -1 while it is not shown. */
export const rowOfFolder = ({ segments }: TreeRows, name: string): number =>
  segments.find((segment) => segment.kind === "folder" && segment.node.name === name)?.start ?? -1;
