import steps from "../locales/en/steps.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

// Loaded with the first step or page that shows tools, not with the first page.
addTexts("steps", steps);

/** Whether there are texts of what a tool does. */
export const isKnownTool = (tool: string): tool is keyof typeof steps.tool =>
  Object.hasOwn(steps.tool, tool);
