import type { Locale } from "./en.ts";

export const da: Locale = {
  refusal:
    "Der er ingen relevante oplysninger i dette arbejdsområde, der kan besvare dit spørgsmål.",
  refusalOfChoice:
    "Der er ingen relevante oplysninger i de valgte dokumenter, der kan besvare dit spørgsmål.",
  widgetRefusal: "Det har jeg ikke oplysninger nok til at svare på. Prøv med et andet spørgsmål.",
  closestPassages: "Ingen sætning svarer direkte på det. De nærmeste passager:",
  storeUnavailable:
    "{store} er ikke tilgængelig, så der kan ikke søges i arbejdsområdets dokumenter endnu. De tilføjes automatisk, så snart forbindelsen er tilbage.",
  noDocuments: "Arbejdsområdet har endnu ingen dokumenter at citere fra.",
  nothingFound: "Jeg fandt ikke noget svar på det i arbejdsområdets dokumenter.",
  nothingFoundInChoice: "Jeg fandt ikke noget svar på det i de valgte dokumenter.",
  questionAbout: "Hvad står der i »{title}« om {about}?",
  threadDefault: "Standardtråd",
  threadForked: "Forgrenet tråd",
  exportWorkspace: "Arbejdsområde: {name}",
  exportYou: "Dig",
  exportAnswer: "Svar",
  exportSources: "Kilder",
  exportPage: "side {page}",
  exportThought: "Tankegang",
  exportThoughtFor: "Tænkte i {seconds} s",
  exportPicture: "Billede",
  exportChat: "Chat",
  exportChatOf: "Chat i {workspace}",
  variableTime: "Aktuelt klokkeslæt",
  variableDate: "Dags dato",
  variableDatetime: "Aktuel dato og klokkeslæt",
  variableTime24: "Aktuelt klokkeslæt i 24-timersformat",
  variableDatetime24: "Aktuel dato og klokkeslæt i 24-timersformat",
  variableUserName: "Den aktuelle brugers navn",
  variableUserBio: "Den aktuelle brugers biografi",
  variableWorkspaceId: "Det aktuelle arbejdsområdes id",
  variableWorkspaceName: "Det aktuelle arbejdsområdes navn",
};
