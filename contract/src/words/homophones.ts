/*
 * Words that sound alike, in one form each: the plural of a word sounds like the plural of the other. Words that occur in
 * almost every sentence (to, for, be, in) are left out, because they would be found everywhere.
 */
const groups = `their there theyre|brake break|knight night nite|gait gate|whole hole|hear here|weather whether|
piece peace|plane plain|rode road rowed|sail sale|tail tale|mail male|pail pale|bail bale|hail hale|steel steal|heel heal hell|
meet meat|feet feat|beet beat|sea see|flee flea|tea tee|knee nee|steer stere|deer dear|peer pier|beer bier|
bear bare|pair pear pare|fair fare|stair stare|hair hare|flair flare|wear where ware|air heir|chair chare|
wait weight|wade weighed|way weigh|main mane|pain pane|rain reign rein|vain vein vane|waist waste|based baste|
great grate|right write rite|site sight cite|might mite|tire tyre|tied tide|died dyed|die dye|pries prize|
sign sine|isle aisle|buy bye|hi high|higher hire|flower flour|our hour|allowed aloud|foul fowl|bough bow|
board bored|course coarse|horse hoarse|source sauce|pour pore|door dore|soar sore|war wore|warn worn|born borne|
ball bawl|call caul|hall haul|mall maul|paws pause|cause caws|fort fought|court caught|stalk stork|
role roll|hole whole|pole poll|sole soul|bowl bole|toad towed|toe tow|know no|knows nose|grown groan|thrown throne|
loan lone|moan mown|bolder boulder|rose rows|close clothes|
blue blew|new knew|through threw|few phew|brews bruise|cruise crews|chews choose|loot lute|root route|shoot chute|
sun son|one won|none nun|some sum|rung wrung|muscle mussel|
scene seen|seam seem|team teem|cell sell|cellar seller|cent sent scent|bread bred|led lead|read red|lesson lessen|
guest guessed|berry bury|cereal serial|principal principle|stationary stationery|council counsel|complement compliment|
desert dessert|affect effect|accept except|advice advise|device devise|passed past|patients patience|presence presents|
capital capitol|current currant|gorilla guerrilla|hanger hangar|kernel colonel|key quay|lane lain|leak leek|
licence license|links lynx|made maid|manner manor|mist missed|mourning morning|mustard mustered|oar ore|
pedal peddle petal|profit prophet|racket racquet|ring wring|sweet suite|sword soared|taught taut|throw throe|
tire tier|told tolled|trooper trouper|vale veil|wail whale|wood would|yoke yolk|eight ate|four fore|
alarm alarum|cops copse|sheriff cherif|mayor mare|marshal martial|chief sheaf|lieutenant leftenant|
ambulance ambulans|grey gray|colour color|harbour harbor|centre center|metre meter|theatre theater|defence defense|
john jon|ann anne|sara sarah|stephen steven|philip phillip|catherine katherine kathryn|brian bryan|eric erik|
mark marc|allan allen alan|lewis louis|terry teri|smith smyth|reed reid read|lee leigh|clark clarke|greene green|brown browne`
  .split('|')
  .map((group) => group.trim().split(/\s+/u));

const alike = new Map<string, ReadonlySet<string>>();
for (const group of groups) {
  for (const word of group) {
    const more = new Set([...(alike.get(word) ?? []), ...group]);
    more.delete(word);
    alike.set(word, more);
  }
}

export function homophonesOf(word: string): readonly string[] {
  const known = alike.get(word);
  if (known) return [...known];
  if (!word.endsWith('s')) return [];
  return [...(alike.get(word.slice(0, -1)) ?? [])].map((other) => `${other}s`);
}
