import type { Locale } from "./en.ts";

export const de: Locale = {
  refusal:
    "In diesem Workspace gibt es keine passenden Informationen, um Ihre Frage zu beantworten.",
  refusalOfChoice:
    "In den ausgewählten Dokumenten gibt es keine passenden Informationen, um Ihre Frage zu beantworten.",
  widgetRefusal:
    "Dazu liegen mir nicht genügend Informationen vor. Versuchen Sie es mit einer anderen Frage.",
  closestPassages: "Kein Satz beantwortet das direkt. Die ähnlichsten Passagen:",
  storeUnavailable:
    "{store} ist nicht erreichbar, deshalb lassen sich die Dokumente dieses Workspace noch nicht durchsuchen. Sobald die Verbindung wieder steht, werden sie automatisch hinzugefügt.",
  noDocuments: "In diesem Workspace gibt es noch keine Dokumente, aus denen sich zitieren ließe.",
  nothingFound: "In den Dokumenten dieses Workspace habe ich keine Antwort darauf gefunden.",
  nothingFoundInChoice: "In den ausgewählten Dokumenten habe ich keine Antwort darauf gefunden.",
  questionAbout: "Was steht in „{title}“ über {about}?",
  threadDefault: "Standard-Thread",
  threadForked: "Fortgeführter Thread",
  exportWorkspace: "Workspace: {name}",
  exportYou: "Sie",
  exportAnswer: "Antwort",
  exportSources: "Quellen",
  exportPage: "Seite {page}",
  exportThought: "Nachgedacht",
  exportThoughtFor: "{seconds} s nachgedacht",
  exportPicture: "Bild",
  exportChat: "Chat",
  exportChatOf: "Chat in {workspace}",
  variableTime: "Aktuelle Uhrzeit",
  variableDate: "Aktuelles Datum",
  variableDatetime: "Aktuelles Datum und Uhrzeit",
  variableTime24: "Aktuelle Uhrzeit im 24-Stunden-Format",
  variableDatetime24: "Aktuelles Datum und Uhrzeit im 24-Stunden-Format",
  variableUserName: "Name der angemeldeten Person",
  variableUserBio: "Profiltext der angemeldeten Person",
  variableWorkspaceId: "ID des aktuellen Workspace",
  variableWorkspaceName: "Name des aktuellen Workspace",
};
