import type { FlowStep } from "@carrel/contracts";
import { toolFault } from "../tool-fault.ts";
import { deniedFault, type BlockContext } from "./block.ts";
import { runCode, runInstruction, runSearch } from "./producers.ts";
import { runApiCall, runWebScraping } from "./requests.ts";
import { substitute } from "./substitute.ts";
import { runTransform } from "./transform.ts";

/** The result of a block that does something itself. Throws ToolError. */
export async function performBlock(
  step: FlowStep,
  context: BlockContext,
  approve: (question: string, details: string) => Promise<boolean>,
): Promise<unknown> {
  switch (step.type) {
    case "apiCall":
      return runApiCall(step, context);
    case "llmInstruction":
      return runInstruction(step, context);
    case "webScraping":
      return runWebScraping(step, context);
    case "carrel-search":
      return runSearch(step, context);
    case "carrel-code":
      return runCode(step, context);
    case "carrel-transform":
      return runTransform(step, context);
    case "carrel-approval": {
      const [question, details] = [step.config.question, step.config.details].map((text) =>
        substitute(text, context.variables),
      ) as [string, string];
      if (!(await approve(question || context.title, details)))
        throw toolFault(deniedFault(context.title));
      return undefined;
    }
    default:
      return undefined;
  }
}
