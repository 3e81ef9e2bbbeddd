/** The files of a hub that is a folder or a repository. */
export interface FileTree {
  /** What is in a folder, by name; empty if there is no such folder. */
  read(folder: string): Promise<TreeName[]>;
  /** Null if there is no such file. Throws `hub.bundle-too-large` if it has more bytes. */
  open(path: string, maxBytes: number): Promise<Buffer | null>;
  /**
   * Creates a folder with one file. If there is something of the folder's name already, it writes
   * the file there if it may, and otherwise returns false.
   */
  write?(path: string, content: string, mayExist: boolean): Promise<boolean>;
}

export interface TreeName {
  name: string;
  kind: "file" | "folder" | "link" | "other";
}
