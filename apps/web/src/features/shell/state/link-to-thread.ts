/** Link to a thread; null: the default thread. */
export const linkToThread = (slug: string, thread: string | null) =>
  thread === null
    ? ({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } } as const)
    : ({
        to: "/workspace/$workspaceSlug/t/$threadSlug",
        params: { workspaceSlug: slug, threadSlug: thread },
      } as const);
