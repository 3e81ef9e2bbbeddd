import "katex/contrib/mhchem";
import { mathPlugin, textOf } from "./math-plugin.ts";

type Tree = Parameters<ReturnType<typeof mathPlugin>>[0];

/** mhchem takes quadratic time, so longer formulas with its commands are shown as their source. */
const longest = 1_000;
const chemistryLike = /\\(?:ce|pu)\s*\{/;

function leaveLong(node: Tree | Tree["children"][number]): void {
  if (!("children" in node)) return;
  if (node.type === "element" && String(node.properties["className"]).startsWith("math-")) {
    const source = textOf(node);
    if (source.length > longest && chemistryLike.test(source)) node.properties["className"] = [];
  }
  for (const child of node.children) leaveLong(child);
}

/** Like `mathPlugin`, with mhchem's commands for chemical formulas (`\ce`) and units (`\pu`). */
export const chemistryPlugin =
  () =>
  (...[tree, file]: Parameters<ReturnType<typeof mathPlugin>>): void => {
    leaveLong(tree);
    mathPlugin()(tree, file);
  };
