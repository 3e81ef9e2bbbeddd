/** What the user may do with documents. */
export interface DocumentRights {
  /** My documents, which everyone with this right shares. */
  library: boolean;
  /** Changing the documents of this workspace. */
  manages: boolean;
  /** Adding documents to this workspace. */
  uploads: boolean;
  /** Why not; null until it is known. */
  uploadsClosed: string | null;
}
