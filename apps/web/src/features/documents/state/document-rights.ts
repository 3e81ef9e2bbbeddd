/** What the user may do with documents. */
export interface DocumentRights {
  /** May use My documents, which everyone with this right shares. */
  library: boolean;
  /** May change this workspace's documents. */
  manages: boolean;
  /** May add documents to this workspace. */
  uploads: boolean;
  /** Why uploading isn't allowed; null until known. */
  uploadsClosed: string | null;
}
