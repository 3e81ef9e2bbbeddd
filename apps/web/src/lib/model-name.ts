/** A model's name without its vendor: "all-MiniLM-L6-v2". */
export const shortModelName = (model: string): string => model.split("/").at(-1) ?? model;
