import type { Locale } from "./en.ts";

export const it: Locale = {
  refusal:
    "In quest’area di lavoro non ci sono informazioni pertinenti per rispondere alla tua domanda.",
  refusalOfChoice:
    "Nei documenti scelti non ci sono informazioni pertinenti per rispondere alla tua domanda.",
  widgetRefusal: "Non ho informazioni sufficienti per rispondere. Prova con un’altra domanda.",
  closestPassages: "Nessuna frase risponde direttamente. Gli estratti più vicini:",
  storeUnavailable:
    "{store} non è disponibile, quindi non è ancora possibile cercare nei documenti di quest’area di lavoro. Verranno aggiunti automaticamente appena tornerà disponibile.",
  noDocuments: "Quest’area di lavoro non contiene ancora documenti da citare.",
  nothingFound: "Nei documenti di quest’area di lavoro non ho trovato una risposta.",
  nothingFoundInChoice: "Nei documenti scelti non ho trovato una risposta.",
  questionAbout: "Che cosa dice “{title}” su {about}?",
  threadDefault: "Conversazione predefinita",
  threadForked: "Conversazione derivata",
  exportWorkspace: "Area di lavoro: {name}",
  exportYou: "Tu",
  exportAnswer: "Risposta",
  exportSources: "Fonti",
  exportPage: "pagina {page}",
  exportThought: "Ragionamento",
  exportThoughtFor: "Ha pensato per {seconds} s",
  exportPicture: "Immagine",
  exportChat: "Chat",
  exportChatOf: "Chat di {workspace}",
  variableTime: "Ora corrente",
  variableDate: "Data corrente",
  variableDatetime: "Data e ora correnti",
  variableTime24: "Ora corrente nel formato 24 ore",
  variableDatetime24: "Data e ora correnti nel formato 24 ore",
  variableUserName: "Nome dell’utente corrente",
  variableUserBio: "Biografia dell’utente corrente",
  variableWorkspaceId: "ID dell’area di lavoro corrente",
  variableWorkspaceName: "Nome dell’area di lavoro corrente",
};
