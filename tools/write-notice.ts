import { writeFileSync } from "node:fs";
import { buildNotice, listUsedPackages } from "./notice.ts";

/** `./carrel notice`: updates the committed file. */
writeFileSync(new URL("../NOTICE", import.meta.url), buildNotice(listUsedPackages()));
