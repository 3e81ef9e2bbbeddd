// What `./carrel audit verify` needs: no database, no framework.
export { ChainFault, anchorRecord, type Anchor, readLines } from "./export-record.ts";
export { readPublicKey, type PublicKey } from "./signing.ts";
export { NotAnExportError, verifyExport, type ExportReport } from "./verify-export.ts";
