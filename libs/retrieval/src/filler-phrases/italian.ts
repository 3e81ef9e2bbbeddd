import type { FillerPhrases } from "../filler-roles.ts";

export const italianFillers: FillerPhrases = {
  glue: `
    il, lo, la, i, gli, le, l, un, uno, una, di, del, dello, della, dei, degli, delle, dell, d, e,
    ed, o, ma, quindi, allora, anche, molto, bene, più, meno, poco, po, che, è, sono, sei, siete,
    sia, essere, stato, ho, hai, ha, avete, avere, ci, ce, ne, vi, ti, te, tu, tuo, tua, tuoi, tue,
    lei, suo, sua, vostro, vostra, si, se, perché, per, su, sul, sulla, sui, sulle, a, al, alla,
    ai, agli, alle, da, dal, in, nel, nella, nei, nelle, con, senza, tra, solo, soltanto,
    solamente, esclusivamente, semplicemente, può, puoi, potete, possibile, voglio, vorrei,
    vorremmo, tutto, tutti, tutte, ogni, qui, ora, adesso, sì, no, ok, non, mai, niente, nulla,
    qualche, alcune, alcuni, questo, questa, questi, queste, quello, quella, lo stesso, invece,
    altrimenti, così, gentile, deve, devi, fa, fai, ecco, magari, proprio, caso
  `,
  self: `
    io, mi, me, mio, mia, miei, mie, sono, sto, ho, noi, nostro, nostra, nostri, nostre, stiamo,
    abbiamo, siamo, come, devo, vorrei
  `,
  modal: `
    puoi, può, potete, potresti, potrebbe, potreste, mi puoi, mi può, mi potresti, mi potrebbe,
    ci puoi, ci potresti, posso, potrei, possiamo, si può, è possibile, sarebbe possibile,
    saresti così gentile, sarebbe così gentile, ti dispiacerebbe, le dispiacerebbe, qualcuno può,
    qualcuno potrebbe, qualcuno mi può, riesci, riesce
  `,
  please: `
    per favore, per piacere, per cortesia, cortesemente, gentilmente, ti prego, la prego, prego,
    se possibile, se è possibile, se non ti dispiace, se non le dispiace, se hai tempo,
    se ha tempo, a proposito
  `,
  ask: `
    dimmi, dicci, mi dica, dirmi, dirci, mi dici, spiegami, mi spieghi, spiega, spiegare,
    spiegarmi, spiegarci, spieghi, mostrami, mi mostri, mostrarmi, ricordami, ricordarmi, dammi,
    darmi, mi dia, aiutami, mi aiuti, aiutarmi, aiutarci, aiutarmi a capire, indicami, indicarmi,
    mi indichi, descrivi, descrivimi, descriva, descrivere, chiariscimi, chiarirmi, fammi sapere,
    mi faccia sapere, farmi sapere, informami, sai, sa, sapete, sai per caso, sa per caso,
    qualcuno sa, mi chiedo, mi chiedevo, mi domando, mi domandavo, volevo sapere, volevo chiedere,
    vorrei sapere, vorrei chiedere, vorremmo sapere, mi piacerebbe sapere, voglio sapere,
    ho una domanda, avrei una domanda, ho un dubbio, una domanda, domanda veloce,
    una domanda veloce, la mia domanda è, la mia domanda, sono curioso di sapere,
    sono curiosa di sapere, sono curioso, sono curiosa, raccontami
  `,
  learn: `
    sapere, imparare, chiedere, chiederti, chiederle, capire, comprendere, conoscere, scoprire,
    trovare, dire, sapere di più, saperne di più
  `,
  after: "se, che, mi, ci, di più, per favore, su",
  greeting: `
    ciao, salve, buongiorno, buon giorno, buonasera, buona sera, buon pomeriggio, ciao a tutti,
    salve a tutti, gentile, gentili, caro, cara, cari, egregio, come stai, come sta, come va,
    spero, scusa, scusami, scusi, mi scusi, scusate, mi dispiace, perdonami, domanda
  `,
  closing: `
    grazie, grazie mille, mille grazie, molte grazie, tante grazie, ti ringrazio, la ringrazio,
    vi ringrazio, ringrazio, ringraziandola, grato, grata, te ne sarei grato, cordiali saluti,
    distinti saluti, saluti, un saluto, un caro saluto, a presto, arrivederci, buona giornata,
    buona serata, buon lavoro, cordialmente
  `,
  courtesy: `
    in anticipo, anticipo, anticipatamente, disturbo, disturbare, disturbarti, disturbarla, tempo,
    aiuto, pazienza, attenzione, gentilezza, disponibilità, risposta, cuore, stia, stai, state,
    bene, tutti, squadra, ancora, giornata, assistente, messaggio, trovi, stupida
  `,
  verb: `
    rispondi, risponda, rispondere, rispondete, rispondimi, scrivi, scriva, scrivere, formatta,
    formattare, dai, dia, dare, presenta, presenti, presentare, mostra, mostri, fornisci, fornisca,
    fornire, restituisci, mantieni, tieni, usa, usi, usare, usando, utilizza, utilizzare,
    utilizzando, elenca, elencare, metti, mettere, limita, limitati, evita, evitare, evitando,
    cita, citi, citare, citando, indica, indicare, indicando, includi, sii, struttura, organizza,
    redigi, aggiungi, basati, basarti, consulta, cerca, guarda, controlla, verifica, inventare,
    inventi, inventa, indovinare, dillo, di, dica, pensa, ragiona, parla, traduci, riassumi,
    esprimi, fammi, assicurati, sia
  `,
  answer: `
    risposta, risposte, la risposta, la tua risposta, la sua risposta, spiegazione, spiegazioni,
    risultato, risultati, affermazione, affermazioni, domanda, domande, seguente domanda
  `,
  adverb: `
    brevemente, concisamente, sinteticamente, in breve, in sintesi, in poche parole, in dettaglio,
    nel dettaglio, dettagliatamente, passo dopo passo, passo per passo, punto per punto,
    in parole semplici, con parole semplici, in termini semplici, in modo semplice,
    in modo conciso, in modo breve, in modo sintetico, in modo dettagliato, in modo chiaro,
    in forma di elenco, in forma di lista, in forma di tabella, sotto forma di elenco,
    sotto forma di elenco puntato, sotto forma di tabella, come elenco, come elenco puntato,
    come un elenco, come un elenco puntato, come lista, come una lista, come tabella,
    come una tabella, con esempi, con un esempio, citando le fonti, come se avessi cinque anni,
    come se avessi 5 anni, come a un bambino, come a un bambino di cinque anni, testualmente,
    il più brevemente possibile
  `,
  manner: `
    breve, brevi, conciso, concisa, sintetico, sintetica, dettagliato, dettagliata, puntato,
    puntati, puntata, elenco puntato, elenco numerato, lista puntata, passo, parole semplici,
    termini semplici, gergo, tecnicismi, inventare nulla, inventare niente, non inventare, non sai,
    non lo sai, non sa, non lo sa, non sei sicuro, sinceramente, conoscenze generali, sì o no,
    tono formale, tono amichevole, numeri di pagina, numero di pagina
  `,
  form: `
    elenco, elenchi, lista, liste, tabella, tabelle, formato, forma, titoli, titolo, intestazioni,
    grassetto, corsivo, italiano, inglese, tedesco, francese, spagnolo, portoghese, arabo, cinese,
    russo, giapponese, lingua, linguaggio, stile, tono, semplice, semplici, chiaro, chiara,
    chiaramente, preciso, precisa, completo, completa, corto, corta, lungo, lunga, riga, righe,
    punto, punti, esempio, esempi, fonte, fonti, citazione, citazioni, riferimenti, passaggio,
    pagina, pagine, formale, numerato, ordinato, strutturato, massimo, principiante, bambino,
    dettagli, fatti, ordine, sicuro, nome, numero, data
  `,
  unit: "frase, frasi, parola, parole, paragrafo, paragrafi, caratteri, righe, punti",
  amount: `
    un, una, uno, due, tre, quattro, cinque, sei, sette, otto, nove, dieci, cinquanta, cento,
    poche, pochi, un paio, un paio di, massimo, al massimo, un massimo di, almeno, non più di,
    meno di, più di, circa, o, sola, solo, una sola, brevi
  `,
  lead: "in, come, con, usando, utilizzando, entro, mediante, senza",
  relation: `
    in base a, in base ai, in base alle, in base al, sulla base di, sulla base dei, sulla base del,
    secondo, basandoti su, basandoti sui, basandosi su, basandosi sui, a partire da, a partire dai,
    partendo da, alla luce dei, tenendo conto di, considerando, usando, utilizzando, stando a,
    stando ai, attraverso, conformemente a, dai, dal, consultando
  `,
  source: `
    documento, documenti, file, base di conoscenza, base di conoscenze, allegato, allegati,
    contesto, fonte, fonti, pdf, area di lavoro
  `,
  matter: `
    testo, testi, contenuto, contenuti, materiale, materiali, dati, informazioni, documentazione,
    pagine, brani, articoli, articolo, database
  `,
  given: `
    caricat*, fornit*, allegat*, dato, dati, condivis*, disponibil*, precedente, precedenti,
    seguente, seguenti, messi a disposizione, che ho caricato, che ti ho dato, presenti, qui sopra,
    indicat*
  `,
  purpose: `
    preparando, preparare, scrivendo, scrivere, lavorando, lavoro, studiando, studio, ricerca,
    ricerche, cercando, cerco, facendo, redigendo, organizzando, leggendo, imparando, aiuto,
    un po di aiuto, un po d aiuto, una mano, farebbe comodo, servirebbe, bisogno, tentando,
    interessato, interessata, nuovo, nuova, apprezzerei
  `,
  setting: `
    presentazione, discorso, relazione, conferenza, intervento, breve, piccola, piccolo, saggio,
    articolo, rapporto, tesi, tesina, compito, compiti, progetto, esame, corso, lezione, seminario,
    laboratorio, formazione, riunione, intervista, collega, colleghi, colleghe, team, gruppo, capo,
    cliente, clienti, amici, famiglia, bambini, studente, studentessa, studenti, professore,
    insegnante, ricercatore, giornalista, dipendente, impiegato, tirocinante, principiante, scuola,
    università, ufficio, azienda, reparto, tema, argomento, settimana, prossima, domani, oggi,
    mese, attualmente, momento, lunedì, martedì, mercoledì, giovedì, venerdì, blog,
    nuovo dipendente
  `,
  placeholder: "qualcuno, qualcosa, chiunque, cos altro, chi altro",
  asking: "chi, cosa, quale, quali, quanto, quanta, quanti, quante, dove, quando",
  mention: "parola, parole, dire, dice, significa, termine, di",
};
