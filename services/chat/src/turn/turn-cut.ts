/** A single turn too large for a page is cut to this many characters per text, with a notice. */
export const longestText = 60_000;
export const cutNotice =
  "\n\n… This is too long to be shown here. Export the conversation to read all of it.";
