/** Query keys of share links; not in `query-keys.ts`, which is part of the first page. */
export const shareKeys = {
  all: ["shares"],
  ofThread: (slug: string, threadSlug: string | null) => ["shares", slug, threadSlug],
  list: ["shares", "list"],
  own: ["shares", "own"],
} as const;
