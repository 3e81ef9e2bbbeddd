import { skills } from "@carrel/contracts/skill-declaration";
import "../../../lib/agent-texts.ts";

/** Skills whose tools never need an approval, or aren't there in scheduled runs. */
const harmless: readonly string[] = [
  "rag-memory",
  "document-summarizer",
  "request-user-input",
  "create-chart",
  "create-scheduled-job",
];
/** Tools that can be allowed in advance, by skill; those of MCP servers are named by hand. */
export const allowableSkills = skills.filter(({ id }) => !harmless.includes(id));
