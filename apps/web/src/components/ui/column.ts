/** The reading width, for a conversation or a welcome page. */
export const column = "mx-auto w-full max-w-[calc(var(--size-measure)+64px)] px-8 max-md:px-4";
