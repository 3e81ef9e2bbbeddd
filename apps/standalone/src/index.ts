export * from "./standalone.ts";
