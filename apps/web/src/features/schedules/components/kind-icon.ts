import { Bot, MessageCircleQuestion, Workflow, type LucideIcon } from "lucide-react";
import type { Kind } from "../state/content.ts";

/** A function, because the chunk with the icons may be evaluated after this module. */
export const kindIcons = (): Record<Kind, LucideIcon> => ({
  prompt: MessageCircleQuestion,
  agent: Bot,
  flow: Workflow,
});
