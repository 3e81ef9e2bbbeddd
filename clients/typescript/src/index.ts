export { Carrel, type CarrelOptions } from "./carrel.ts";
export { CarrelError } from "./carrel-error.ts";
export type * from "./generated/types.gen.ts";
