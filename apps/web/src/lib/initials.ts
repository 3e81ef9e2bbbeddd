/** One or two letters for a name: "mira.kowalska" is MK, "mira" is M. */
export function initialsOf(name: string): string {
  const parts = name
    .replace(/@.*$/, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map(
    (part) => [...(part ?? "")][0] ?? "",
  );
  return letters.join("").toUpperCase() || "?";
}
