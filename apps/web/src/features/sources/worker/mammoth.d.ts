/** Mammoth's own bundle for browsers, which comes without types. */
declare module "mammoth/mammoth.browser.min.js" {
  const mammoth: {
    convertToHtml: (
      input: { arrayBuffer: ArrayBuffer },
      options: { styleMap: string[] },
    ) => Promise<{ value: string }>;
  };
  export default mammoth;
}
