/** What the sources' page shows, from its address. */
export type SourcePlace =
  | { page: "list" }
  | { page: "new"; connector: string | null }
  | { page: "source" | "edit"; id: string };

export function readSourcePlace(rest: string): SourcePlace {
  const [first = "", second = ""] = rest.split("/");
  if (first === "" || first === "all") return { page: "list" };
  if (first === "new") return { page: "new", connector: second === "" ? null : second };
  return { page: second === "edit" ? "edit" : "source", id: first };
}
