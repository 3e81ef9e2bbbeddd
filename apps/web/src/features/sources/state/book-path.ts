export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** A path inside a book, from a link relative to one of its folders. */
export function resolvePath(folder: string, link: string): string {
  try {
    const { pathname } = new URL(link, `http://book/${folder}`);
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return link; // not an address, or invalid percent-encoding
  }
}
