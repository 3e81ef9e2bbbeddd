/**
 * Mermaid's own bundle: bundling its CommonJS dependencies ourselves would move helpers that the
 * first page needs to a second script. It comes without types.
 */
declare module "mermaid/dist/mermaid.esm.min.mjs" {
  const mermaid: {
    initialize: (config: Record<string, unknown>) => void;
    render: (id: string, source: string) => Promise<{ svg: string }>;
  };
  export default mermaid;
}
