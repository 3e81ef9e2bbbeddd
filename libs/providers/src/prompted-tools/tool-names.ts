import { clipText } from "@carrel/contracts";
import type { ToolDefinition } from "../spec/language-model.ts";

/** How sure it is that a name means a tool. */
export interface NamedTool {
  /** The tool's name, or what the model wrote, in characters that every vendor accepts. */
  name: string;
  tool: ToolDefinition | undefined;
  /** Whether it differs in more than case and punctuation. */
  isGuess: boolean;
}

const prefix = /^(?:functions?|tools?|default_api|namespace|call)[.:]/i;

/** Without what templates add: `functions.search:0`, `search()`, `search<|channel|>commentary`. */
const clean = (written: string): string =>
  written
    .split("<|", 1)[0]!
    .trim()
    .replaceAll(/^[`"'*]+|[`"'*]+$/g, "")
    .replace(prefix, "")
    .replace(/\(\)$|:\d+$/, "");

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length]!;
}

const longestName = 64;

/** The names of the offered tools, as models spell them. */
export class ToolNames {
  private readonly byName: ReadonlyMap<string, ToolDefinition>;
  private readonly byPlain: ReadonlyMap<string, ToolDefinition>;

  constructor(readonly tools: readonly ToolDefinition[]) {
    this.byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.byPlain = new Map(tools.map((tool) => [plain(tool.name), tool]));
  }

  find(written: string): NamedTool {
    const name = clean(written);
    const known = this.byName.get(name) ?? this.byPlain.get(plain(name));
    if (known !== undefined) return { name: known.name, tool: known, isGuess: false };
    const near = this.findNear(plain(name));
    if (near !== undefined) return { name: near.name, tool: near, isGuess: true };
    const passed = clipText(name.replaceAll(/[^\w-]/g, "_"), longestName);
    return { name: passed || "unknown", tool: undefined, isGuess: true };
  }

  isOffered(written: string): boolean {
    const { tool, isGuess } = this.find(written);
    return tool !== undefined && !isGuess;
  }

  /** The only tool spelt nearly like this; a quarter of the letters may differ. */
  private findNear(name: string): ToolDefinition | undefined {
    if (name.length < 4 || name.length > longestName) return undefined;
    const near = [...this.byPlain]
      .map(([each, tool]) => ({ tool, off: distance(name, each) }))
      .filter(({ off }) => off <= name.length / 4)
      .toSorted((a, b) => a.off - b.off);
    return near.length === 1 || (near.length > 1 && near[0]!.off < near[1]!.off)
      ? near[0]!.tool
      : undefined;
  }
}
