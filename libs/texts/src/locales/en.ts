/** Texts as existing clients know them; names in braces are filled in. */
export const en = {
  refusal: "There is no relevant information in this workspace to answer your query.",
  refusalOfChoice:
    "There is no relevant information in the documents you chose to answer your query.",
  widgetRefusal: "I do not have enough information to answer that. Try another question.",
  closestPassages: "No sentence answers this directly. The closest passages:",
  storeUnavailable:
    "{store} isn't available, so the documents of this workspace can't be searched yet. They will be added automatically once it's back.",
  noDocuments: "This workspace has no documents yet, so there is nothing to quote.",
  nothingFound: "I found nothing in the documents of this workspace that answers this.",
  nothingFoundInChoice: "I found nothing in the documents you chose that answers this.",
  questionAbout: "What does “{title}” say about {about}?",
  threadDefault: "Default thread",
  threadForked: "Forked Thread",
  exportWorkspace: "Workspace: {name}",
  exportYou: "You",
  exportAnswer: "Answer",
  exportSources: "Sources",
  exportPage: "page {page}",
  exportThought: "Thought",
  exportThoughtFor: "Thought for {seconds} s",
  exportPicture: "Picture",
  exportChat: "Chat",
  exportChatOf: "{workspace} chat",
  variableTime: "Current time",
  variableDate: "Current date",
  variableDatetime: "Current date and time",
  variableTime24: "Current time in 24-hour format",
  variableDatetime24: "Current date and time in 24-hour format",
  variableUserName: "Name of the current user",
  variableUserBio: "Bio of the current user",
  variableWorkspaceId: "ID of the current workspace",
  variableWorkspaceName: "Name of the current workspace",
} as const;

export type Locale = Readonly<Record<keyof typeof en, string>>;
