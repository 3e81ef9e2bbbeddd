import { createContext, use, type ReactNode } from "react";

/**
 * Whether a turn is rendered with everything. While scrolling brings up turns, their words come
 * first: text that was not parsed before is shown as it is, and its buttons follow right after.
 */
export const DetailContext = createContext(true);

/** What follows the words of a turn; until then, its space (classes of its size). */
export const Detail = ({ space, children }: { space: string; children: ReactNode }) =>
  use(DetailContext) ? children : <div className={space} />;
