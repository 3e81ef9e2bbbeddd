import type { FillerPhrases } from "../filler-roles.ts";

export const swedishFillers: FillerPhrases = {
  glue: `
    en, ett, den, det, de, dem, denna, detta, dessa, och, eller, men, så, också, även, bara,
    endast, enbart, mycket, väldigt, lite, gärna, att, som, är, var, vara, vore, har, hade, ha, du,
    dig, din, ditt, dina, ni, er, ert, era, sig, man, inte, ingen, inga, inget, aldrig, om, ifall,
    eftersom, för, av, till, från, på, i, med, utan, vid, över, under, kan, kunna, möjligt, vill,
    ska, skulle, måste, får, alla, allt, varje, här, där, nu, ja, nej, ok, då, annars, istället,
    något, lite grann, någon gång, några, sedan, håll, snälla, väl, dig själv, möjligen, kanske
  `,
  self: "jag, mig, mej, min, mitt, mina, vi, oss, vår, vårt, våra, som",
  modal: `
    kan du, kan ni, kunde du, skulle du kunna, skulle ni kunna, skulle du, skulle ni, vill du,
    kan jag, får jag, kan vi, kan man, kan någon, är det möjligt, skulle det vara möjligt,
    har du möjlighet, du kan, du får
  `,
  please: `
    tack, snälla, vänligen, var snäll och, vänligen och, var vänlig och, var god, var vänlig,
    är du snäll, om möjligt, om det går, om du har tid, förresten
  `,
  ask: `
    berätta, berätta för mig, säg, säg mig, säga mig, berätta för oss, tala om, tala om för mig,
    förklara, förklara för mig, förklara för oss, visa mig, ge mig, hjälp mig, hjälpa mig,
    hjälpa oss, hjälpa mig att förstå, beskriv, beskriva, beskriv för mig, förtydliga, redogör,
    påminn mig, upplys mig, låt mig veta, vet du, vet ni, vet någon, råkar du veta, jag undrar,
    jag undrade, undrar, vi undrar, jag skulle vilja veta, jag vill veta, jag vill gärna veta,
    jag ville veta, jag skulle vilja fråga, jag vill fråga, jag är nyfiken på, jag är nyfiken,
    jag har en fråga, jag hade en fråga, en fråga, snabb fråga, en snabb fråga, kort fråga,
    min fråga är, min fråga, frågan är
  `,
  learn: `
    veta, lära mig, fråga, förstå, ta reda på, hitta, få reda på, få veta, säga, känna till,
    bättre förstå, veta mer
  `,
  after: "om, att, mig, oss, mer, ifall, tack",
  greeting: `
    hej, hejsan, hallå, tjena, tja, god morgon, godmorgon, god kväll, goddag, god dag, hej på dig,
    hej alla, hej igen, hej där, kära, käre, bästa, hur mår du, hur är det, hur är läget,
    jag hoppas, hoppas, förlåt, ursäkta, ursäkta mig, ledsen, fråga
  `,
  closing: `
    tack, tack så mycket, tusen tack, stort tack, tack på förhand, tackar, tacksam, jag uppskattar,
    uppskattar, hälsningar, med vänliga hälsningar, vänliga hälsningar, vänligen, mvh,
    hälsningar från, hej då, ha en bra dag, ha en fin dag, ha det bra, vi hörs, allt gott
  `,
  courtesy: `
    på förhand, förhand, störa, stör, störningen, tid, hjälp, hjälpen, tålamod, vänlig, vänliga,
    mår, bra, dag, dagen, alla, allihop, teamet, igen, så mycket, assistent, meddelande, svar, dum,
    gott
  `,
  verb: `
    svara, svarar, besvara, skriv, skriva, formatera, ge, presentera, visa, håll, hålla, använd,
    använda, lista, räkna upp, gör, göra, begränsa, undvik, undvika, citera, ange, angivande, nämn,
    inkludera, var, strukturera, formulera, lägg till, basera, utgå, sök, leta, titta, läs,
    kontrollera, hitta på, hitta inte på, gissa, säg, tänk, tala, översätt, sammanfatta, leverera
  `,
  answer: `
    svar, svaret, svaren, ditt svar, förklaring, förklaringen, resultat, resultatet, påstående,
    påståenden, frågan, följande fråga
  `,
  adverb: `
    kort, kortfattat, kort och koncist, koncist, i korthet, i korta drag, i detalj, detaljerat,
    utförligt, steg för steg, punkt för punkt, med enkla ord, i enkla ordalag, på ett enkelt sätt,
    på enkel svenska, på lättläst svenska, med egna ord, med några få ord, i punktform,
    i punktlista, i listform, i tabellform, som en lista, som lista, som en punktlista,
    som punktlista, som en tabell, som tabell, i form av en lista, i form av en punktlista,
    i form av en tabell, med exempel, med källor, med källhänvisning, med källhänvisningar,
    som om jag vore fem år, som för ett barn, ordagrant, så kort som möjligt
  `,
  manner: `
    korta, kortare, koncis, kortfattad, detaljerad, utförlig, punktlista, punktlistor, punktform,
    punkter, numrerad lista, enkla ord, steg, facktermer, jargong, hitta inte på, hitta på,
    inte vet, vet inte, inte säker, inte är säker, hallucinera, spekulera, ärlig, allmänkunskap,
    ja eller nej, formell ton, vänlig ton, artigt, källhänvisning*, sidnummer, sidhänvisning*
  `,
  form: `
    lista, listor, tabell, tabeller, format, form, rubrik, rubriker, fetstil, kursiv, svenska,
    engelska, tyska, franska, spanska, norska, danska, finska, arabiska, kinesiska, ryska, språk,
    stil, ton, enkel, enkelt, enkla, tydlig, tydligt, klart, exakt, fullständigt, fullständig,
    lång, långt, rad, rader, punkt, exempel, källa, källor, källorna, citat, hänvisning,
    hänvisningar, avsnitt, sida, sidor, formellt, informellt, numrerad, strukturerat, strukturerad,
    max, nybörjare, barn, detaljer, fakta, ordning, säker, något, dina källor
  `,
  unit: "mening, meningar, ord, stycke, stycken, tecken, rader, punkter",
  amount: `
    en, ett, två, tre, fyra, fem, sex, sju, åtta, nio, tio, femtio, hundra, några, några få,
    ett par, max, högst, som mest, minst, inte mer än, mindre än, mer än, ungefär, cirka, eller,
    till, enda, korta, enkla
  `,
  lead: "i, som, på, med, utan, inom, genom, under",
  relation: `
    baserat på, utifrån, enligt, med utgångspunkt i, på grundval av, med hjälp av, med stöd av,
    utgående från, från, ur, med hänsyn till, i enlighet med, grundat på
  `,
  source: `
    dokument, dokumentet, dokumenten, fil, filen, filer, filerna, kunskapsbas, kunskapsbasen,
    bilaga, bilagan, bilagor, bilagorna, sammanhanget, kontexten, källa, källor, källorna, pdf,
    pdf filen, arbetsyta, arbetsytan, underlag, underlaget
  `,
  matter: `
    text, texten, texter, texterna, material, materialet, innehåll, innehållet, data, information,
    informationen, dokumentation, dokumentationen, sidorna, artikeln, databasen
  `,
  given: `
    uppladdad, uppladdat, uppladdade, bifogad, bifogat, bifogade, tillhandahållna, tillhandahållen,
    given, givna, givet, ovanstående, nedanstående, följande, tillgänglig*, delade,
    som jag har laddat upp, jag har laddat upp, ovan, nedan, du har, angivna
  `,
  purpose: `
    förbereder, förbereda, skriver, skriva, arbetar, arbetar med, jobbar, jobbar med, studerar,
    studera, pluggar, forskar, letar, söker, planerar, håller på, gör, håller, hjälp, lite hjälp,
    behöver, behöver hjälp, skulle behöva, försöker, intresserad, ny, nya, uppskatta, lär
  `,
  setting: `
    föredrag, presentation, tal, föreläsning, kort, liten, litet, uppsats, artikel, rapport,
    avhandling, uppgift, läxa, projekt, prov, tenta, kurs, lektion, seminarium, workshop,
    utbildning, möte, intervju, kollega, kollegor, kollegorna, team, chef, kund, kunder, vänner,
    familj, barn, student, elev, elever, lärare, forskare, journalist, anställd, medarbetare,
    praktikant, nybörjare, skola, skolan, universitet, universitetet, arbete, arbetet, jobbet,
    kontor, kontoret, företag, företaget, avdelning, ämne, vecka, nästa, imorgon, idag, månad,
    just nu, måndag, tisdag, onsdag, torsdag, fredag, blogg
  `,
  placeholder: "någon, någonting, någonstans, vem som helst, vad mer, vem mer",
  asking: "vem, vad, vilken, vilket, vilka, när, varför, hur, hur många, hur mycket, vems",
  mention: "ordet, ord, av, betyder, säger man, termen, på",
};
