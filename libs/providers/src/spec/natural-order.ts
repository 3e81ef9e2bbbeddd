/** `model-2` comes before `model-10`. */
export const compareNaturally = new Intl.Collator("en", { numeric: true, sensitivity: "base" })
  .compare;
