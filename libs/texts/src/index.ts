export { translateForm } from "./form-texts.ts";
export { formTexts } from "./forms/en.ts";
export { findTexts, formatDate, type Texts } from "./texts.ts";
