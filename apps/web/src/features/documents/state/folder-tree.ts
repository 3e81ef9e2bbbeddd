import type { listFolders, Out } from "@carrel/contracts";

export type FolderCount = Out<typeof listFolders>["folders"][number];
/** Where documents without a folder are stored; the tree shows them at its root. */
export const rootFolder = "custom-documents";

export interface FolderNode {
  /** The full path, used as the key everywhere. */
  name: string;
  /** The last segment of the displayed path; for a workbook's folder, the workbook's name. */
  label: string;
  /** The full path as displayed. */
  path: string;
  /** Documents directly in the folder. */
  documents: number;
  /** Documents including subfolders. */
  deep: number;
  failed: number;
  children: FolderNode[];
}
export interface FolderTree {
  folders: FolderNode[];
  byName: Map<string, FolderNode>;
  /** Documents at the root. */
  rootDocuments: number;
}

export const parentOf = (name: string): string =>
  name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : rootFolder;
const labelOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

/**
 * Builds the folder tree. Documents in `rootFolder` appear at the root, and missing parents are
 * added.
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
      path: name,
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
  for (const { name, title, documents, failed } of counts) {
    if (name === rootFolder) rootDocuments = documents;
    else
      Object.assign(nodeOf(name), { documents, failed, ...(title !== null && { label: title }) });
  }
  const finish = (nodes: FolderNode[], parent: string): void => {
    nodes.sort((a, b) => compare(a.label, b.label) || compare(a.name, b.name));
    // A workbook uploaded twice has two folders.
    const taken = new Set(nodes.map((node) => labelOf(node.name)));
    for (const node of nodes) {
      if (node.label !== labelOf(node.name)) {
        const title = node.label;
        for (let n = 2; taken.has(node.label); n += 1) node.label = `${title} (${n})`;
        taken.add(node.label);
      }
      node.path = parent + node.label;
      finish(node.children, `${node.path}/`);
      node.deep = node.documents + node.children.reduce((sum, child) => sum + child.deep, 0);
    }
  };
  finish(folders, "");
  return { folders, byName, rootDocuments };
}

/** A folder's displayed path. */
export const folderPath = (tree: FolderTree | undefined, name: string): string =>
  tree?.byName.get(name)?.path ?? name;

/**
 * A folder's row, or a run of document rows in one folder; `start` is the index of the first row.
 */
export type Segment =
  | { kind: "folder"; start: number; level: number; node: FolderNode }
  | { kind: "documents"; start: number; level: number; folder: string; count: number };
export interface TreeRows {
  segments: Segment[];
  total: number;
}

/** The tree's visible rows without any documents: a folder of 100,000 is one segment. */
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

/** The row at an index, by binary search; null past the end. */
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

/** The index of a folder's row; -1 while it is hidden. */
export const rowOfFolder = ({ segments }: TreeRows, name: string): number =>
  segments.find((segment) => segment.kind === "folder" && segment.node.name === name)?.start ?? -1;
