// Oxlint's plugin with this repository's own rules, for oxlint.config.ts.
import { definePlugin, defineRule, type ESTree } from "@oxlint/plugins";
import { findSqlFault } from "./lint-sql.ts";

const sqlStyle = defineRule({
  create(context) {
    const check = (node: ESTree.Node, text: string): void => {
      const message = findSqlFault(text);
      if (message !== null) context.report({ node, message });
    };
    return {
      Literal(node) {
        if (typeof node.value === "string") check(node, node.value);
      },
      TemplateLiteral(node) {
        check(node, node.quasis.map(({ value }) => value.cooked ?? value.raw).join("§"));
      },
    };
  },
});

interface Restriction {
  /** An esquery selector, as in ESLint's rule no-restricted-syntax, which Oxlint lacks. */
  selector: string;
  message: string;
}

const restrictedSyntax = defineRule({
  meta: { schema: false },
  create: (context) =>
    Object.fromEntries(
      (context.options as unknown as Restriction[]).map(({ selector, message }) => [
        selector,
        (node: ESTree.Node) => context.report({ node, message }),
      ]),
    ),
});

export default definePlugin({
  meta: { name: "carrel" },
  rules: { "restricted-syntax": restrictedSyntax, "sql-style": sqlStyle },
});
