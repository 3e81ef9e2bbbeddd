// What `./carrel audit verify` needs: no database, no framework.
export { ChainFault } from "./chain-fault.ts";
export { anchorRecord, type Anchor } from "./export-record.ts";
export { readLines } from "./read-lines.ts";
export { readPublicKey, type PublicKey } from "./signing.ts";
export { NotAnExportError, verifyExport, type ExportReport } from "./verify-export.ts";
