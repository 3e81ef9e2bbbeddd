import { createRequire } from "node:module";
import type * as Arrow from "apache-arrow";

/** The copy that LanceDB requires: an import would load the package a second time. */
export const arrow = createRequire(import.meta.url)("apache-arrow") as typeof Arrow;
