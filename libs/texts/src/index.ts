export { translateForm } from "./form-texts.ts";
export { formTexts } from "./forms/en.ts";
export { findTexts, formatDate, translateCaption, type Texts } from "./texts.ts";
