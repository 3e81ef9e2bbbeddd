export { findTexts, formatDate, type Texts } from "./texts.ts";
