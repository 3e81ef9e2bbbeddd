import "lucide-react/icons/x";

/** Each icon's module exports its shapes, which the package's types leave out. */
declare module "lucide-react/icons/x" {
  export const __iconData: { node: [tag: string, attributes: Record<string, string>][] };
}
