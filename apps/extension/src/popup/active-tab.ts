/** The tab behind the popup. */
export interface OpenTab {
  id: number;
  title: string;
  /** Available because the user opened the popup in this tab. */
  url: string;
}

export async function activeTab(): Promise<OpenTab | null> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id === undefined ? null : { id: tab.id, title: tab.title ?? "", url: tab.url ?? "" };
}
