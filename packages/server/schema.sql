-- What the migrations make; written by `npm run schema`.

CREATE TYPE account_status AS ENUM ('active', 'pending', 'locked');

CREATE TYPE account_token_purpose AS ENUM ('reset_password', 'activate_account', 'verify_email', 'log_in');

CREATE TYPE api_key_kind AS ENUM ('client', 'server');

CREATE TYPE config_schedule_state AS ENUM ('coming', 'running', 'done', 'cancelled', 'missed', 'failed');

CREATE TYPE counted_resource AS ENUM ('save_bytes', 'players', 'leaderboard_entries', 'ledger_rows');

CREATE TYPE environment AS ENUM ('development', 'production');

CREATE TYPE event_validation AS ENUM ('off', 'warn', 'reject');

CREATE TYPE experiment_state AS ENUM ('draft', 'running', 'stopped', 'shipped');

CREATE TYPE game_role AS ENUM ('viewer', 'developer', 'admin', 'owner');

CREATE TYPE game_tier AS ENUM ('free', 'indie', 'studio');

CREATE TYPE leaderboard_decision_kind AS ENUM ('accept', 'remove', 'ban', 'quarantine');

CREATE TYPE leaderboard_held_state AS ENUM ('waiting', 'accepted', 'removed', 'banned');

CREATE TYPE leaderboard_order AS ENUM ('descending', 'ascending');

CREATE TYPE leaderboard_outcome AS ENUM ('new', 'improved', 'kept', 'quarantined', 'refused');

CREATE TYPE leaderboard_reset_schedule AS ENUM ('none', 'daily', 'weekly', 'monthly');

CREATE TYPE leaderboard_violation AS ENUM ('refuse', 'quarantine');

CREATE TYPE second_factor_purpose AS ENUM ('log_in', 'add_totp', 'add_passkey');

CREATE TYPE verification_mode AS ENUM ('off', 'claimed', 'required');

CREATE TYPE writes_from AS ENUM ('anyone', 'verified', 'server');

CREATE OR REPLACE FUNCTION count_added_players()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  environments environment[];
  ids text[];
  are_counted boolean[];
BEGIN
  SELECT array_agg(game_id), array_agg(environment), array_agg(player_id), array_agg(counted_at IS NOT NULL)
  INTO games, environments, ids, are_counted
  FROM added;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'players', count(*) FROM unnest(games, are_counted) AS added (game_id, is_counted)
    WHERE is_counted GROUP BY game_id;
    INSERT INTO player_name_changes SELECT * FROM unnest(games, environments, ids);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_added_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, count(*) AS amount FROM added GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, TG_ARGV[0]::counted_resource, amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_added_save_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, sum(octet_length(data)) AS amount FROM added GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'save_bytes', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_named_player()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO storage_changes VALUES (NEW.game_id, 'players', 1);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_removed_players()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  environments environment[];
  ids text[];
  were_counted boolean[];
BEGIN
  SELECT array_agg(game_id), array_agg(environment), array_agg(player_id), array_agg(counted_at IS NOT NULL)
  INTO games, environments, ids, were_counted
  FROM removed;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'players', -count(*) FROM unnest(games, were_counted) AS removed (game_id, was_counted)
    WHERE was_counted GROUP BY game_id;
    INSERT INTO player_name_changes SELECT * FROM unnest(games, environments, ids);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_removed_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, -count(*) AS amount FROM removed GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, TG_ARGV[0]::counted_resource, amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_removed_save_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, -sum(octet_length(data)) AS amount FROM removed GROUP BY game_id) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'save_bytes', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_replaced_save_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
  FROM (SELECT game_id, sum(bytes) AS amount
        FROM (SELECT game_id, octet_length(data) AS bytes FROM added
              UNION ALL
              SELECT game_id, -octet_length(data) FROM removed) AS replaced
        GROUP BY game_id
        HAVING sum(bytes) <> 0) AS counted;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'save_bytes', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION count_waiting_scores()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  games uuid[];
  amounts bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
    FROM (SELECT game_id, count(*) AS amount FROM added WHERE state = 'waiting' GROUP BY game_id) AS counted;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
    FROM (SELECT game_id, -count(*) AS amount FROM removed WHERE state = 'waiting' GROUP BY game_id) AS counted;
  ELSE
    SELECT array_agg(game_id), array_agg(amount) INTO games, amounts
    FROM (SELECT game_id, sum(change) AS amount
          FROM (SELECT game_id, 1 AS change FROM added WHERE state = 'waiting'
                UNION ALL
                SELECT game_id, -1 FROM removed WHERE state = 'waiting') AS changed
          GROUP BY game_id
          HAVING sum(change) <> 0) AS counted;
  END IF;
  IF games IS NOT NULL THEN
    INSERT INTO storage_changes
    SELECT game_id, 'leaderboard_entries', amount FROM unnest(games, amounts) AS counted (game_id, amount);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION fold_text(content text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  -- Latin, Greek, Cyrillic, and all others.
  capitals CONSTANT text[] := ARRAY[
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǅǇǈǊǋǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎ',
    'ͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫςϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿ',
    'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮ',
    'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾸᾹᾺΆᾼῈΈῊΉῌῘῙῚΊῨῩῪΎῬῸΌῺΏῼΩKÅℲⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫⅬⅭⅮⅯↃⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡'];
  small CONSTANT text[] := ARRAY[
    'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįiĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǆǉǉǌǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏ',
    'ͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋσϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽ',
    'абвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќѝўџѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯ',
    'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱὰάᾳὲέὴήῃῐῑὶίῠῡὺύῥὸόὼώῳωkåⅎⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻⅼⅽⅾⅿↄⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣⓤⓥⓦⓧⓨⓩⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃'];
  folded text := lower(content COLLATE "C");
BEGIN
  IF octet_length(content) = length(content) THEN
    RETURN folded;
  END IF;
  FOR block IN 1 .. 4 LOOP
    IF folded COLLATE "C" ~ ('[' || capitals[block] || ']') THEN
      folded := translate(folded, capitals[block], small[block]);
    END IF;
  END LOOP;
  RETURN folded;
END $function$
;

CREATE OR REPLACE FUNCTION player_name(properties jsonb, property text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN jsonb_typeof(properties -> property) = 'string'
    THEN NULLIF(left(btrim(properties ->> property), 100), '') END
$function$
;

CREATE OR REPLACE FUNCTION search_pieces(game_id uuid, environment environment, texts text[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 5000
AS $function$
DECLARE
  seed bigint := hashtextextended(environment || ' ' || game_id, 0);
  pieces bigint[] := '{}';
  content text;
BEGIN
  FOREACH content IN ARRAY texts LOOP
    FOR place IN 1 .. greatest(length(content) - 2, 1) LOOP
      pieces := pieces || hashtextextended(substr(content, place, 3), seed);
    END LOOP;
  END LOOP;
  RETURN pieces;
END $function$
;

CREATE TABLE access_token_games (
  game_id uuid NOT NULL,
  token_id uuid NOT NULL,
  account_id uuid NOT NULL,
  CONSTRAINT access_token_games_pkey PRIMARY KEY (game_id, token_id)
);

CREATE TABLE access_tokens (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  prefix text NOT NULL,
  token_hash text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT access_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT access_tokens_role_check CHECK ((role = ANY (ARRAY['reports'::text, 'viewer'::text, 'developer'::text, 'admin'::text, 'owner'::text]))),
  CONSTRAINT access_tokens_token_hash_key UNIQUE (token_hash)
);

CREATE TABLE account_devices (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  account_id uuid NOT NULL,
  token_hash text NOT NULL,
  user_agent text,
  address text,
  failures integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT account_devices_pkey PRIMARY KEY (id),
  CONSTRAINT account_devices_token_hash_account_id_key UNIQUE (token_hash, account_id)
);

CREATE TABLE account_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_login_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT account_identities_account_id_issuer_key UNIQUE (account_id, issuer),
  CONSTRAINT account_identities_pkey PRIMARY KEY (issuer, subject)
);

CREATE TABLE account_sessions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  account_id uuid NOT NULL,
  user_agent text,
  address text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT account_sessions_pkey PRIMARY KEY (id)
);

CREATE TABLE account_tokens (
  token_hash text NOT NULL,
  account_id uuid NOT NULL,
  purpose account_token_purpose NOT NULL,
  mail_id uuid NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  asked_by text,
  CONSTRAINT account_tokens_mail_id_key UNIQUE (mail_id),
  CONSTRAINT account_tokens_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE accounts (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  email text COLLATE "C" NOT NULL,
  password_hash text NOT NULL,
  status account_status NOT NULL,
  is_administrator boolean DEFAULT false NOT NULL,
  token_generation integer DEFAULT 1 NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_login_at timestamp with time zone,
  status_before_lock account_status,
  max_free_games integer,
  email_verified_at timestamp with time zone,
  unknown_password_hash text,
  CONSTRAINT accounts_pkey PRIMARY KEY (id)
);

CREATE TABLE achievement_grants (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  environment environment NOT NULL,
  achievement_key text NOT NULL,
  unlock_when jsonb NOT NULL,
  state text DEFAULT 'running'::text NOT NULL,
  player_count bigint NOT NULL,
  granted_count bigint DEFAULT 0 NOT NULL,
  after_player_id text DEFAULT ''::text NOT NULL,
  started_at timestamp with time zone DEFAULT now() NOT NULL,
  ended_at timestamp with time zone,
  next_piece_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT achievement_grants_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE achievement_unlocks (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  achievement_key text NOT NULL,
  unlocked_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT achievement_unlocks_pkey PRIMARY KEY (game_id, environment, player_id, achievement_key)
);

CREATE TABLE achievements (
  game_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  icon_url text DEFAULT ''::text NOT NULL,
  points integer DEFAULT 0 NOT NULL,
  hidden boolean DEFAULT false NOT NULL,
  archived boolean DEFAULT false NOT NULL,
  "position" integer NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  writes_from writes_from DEFAULT 'anyone'::writes_from NOT NULL,
  translations jsonb DEFAULT '{}'::jsonb NOT NULL,
  unlock_when jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT achievements_pkey PRIMARY KEY (game_id, key)
);

CREATE TABLE alert_changes (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  alert_id uuid NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  state text NOT NULL,
  period_started_at timestamp with time zone NOT NULL,
  value double precision,
  baseline_value double precision,
  notified boolean NOT NULL,
  CONSTRAINT alert_changes_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE alerts (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  environment environment NOT NULL,
  name text NOT NULL,
  metric text NOT NULL,
  event_name text,
  period text NOT NULL,
  comparison text NOT NULL,
  threshold double precision NOT NULL,
  baseline text NOT NULL,
  cool_down_hours integer NOT NULL,
  muted boolean NOT NULL,
  account_ids uuid[] NOT NULL,
  webhook_ids uuid[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  state text DEFAULT 'unknown'::text NOT NULL,
  state_since timestamp with time zone DEFAULT now() NOT NULL,
  last_period timestamp with time zone,
  last_value double precision,
  last_baseline_value double precision,
  next_check_at timestamp with time zone NOT NULL,
  notified_at timestamp with time zone,
  is_notified boolean DEFAULT false NOT NULL,
  tested_at timestamp with time zone,
  problem text,
  problem_told_at timestamp with time zone,
  metric_key text,
  claimed_until timestamp with time zone,
  CONSTRAINT alerts_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE annotations (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  day date NOT NULL,
  at timestamp with time zone,
  text text NOT NULL,
  author_id uuid,
  author_email text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT annotations_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE announced_quota_steps (
  game_id uuid NOT NULL,
  month date NOT NULL,
  percent integer NOT NULL,
  CONSTRAINT announced_quota_steps_pkey PRIMARY KEY (game_id, month, percent)
);

CREATE TABLE api_keys (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  environment environment NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_by uuid,
  created_by_email text,
  expires_at timestamp with time zone,
  replaced_by uuid,
  first_key_id uuid,
  kind api_key_kind DEFAULT 'client'::api_key_kind NOT NULL,
  CONSTRAINT api_keys_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE attempt_counts (
  action text NOT NULL,
  address text NOT NULL,
  minute_started_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL,
  CONSTRAINT attempt_counts_pkey PRIMARY KEY (action, address)
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  game_id uuid,
  at timestamp with time zone DEFAULT now() NOT NULL,
  account_id uuid,
  account_email text,
  ip text,
  action text NOT NULL,
  target text NOT NULL,
  details jsonb NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);

CREATE TABLE background_tasks (
  name text NOT NULL,
  next_run_at timestamp with time zone,
  leased_until timestamp with time zone,
  runner uuid,
  last_started_at timestamp with time zone,
  last_run_ms integer,
  failures integer DEFAULT 0 NOT NULL,
  last_failed_at timestamp with time zone,
  last_error text,
  CONSTRAINT background_tasks_pkey PRIMARY KEY (name)
);

CREATE TABLE config_schedules (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  name text NOT NULL,
  state config_schedule_state NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone,
  next_at timestamp with time zone,
  parameters text NOT NULL,
  keys text[] NOT NULL,
  previous text,
  kept_keys text[] DEFAULT '{}'::text[] NOT NULL,
  problem text,
  author_id uuid,
  author text,
  started_version integer,
  ended_version integer,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  closed_at timestamp with time zone,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT config_schedules_pkey PRIMARY KEY (game_id, environment, id)
);

CREATE TABLE config_versions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  version integer NOT NULL,
  parameters text NOT NULL,
  parameter_count integer NOT NULL,
  restored_version integer,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  created_by text,
  schedule_id uuid,
  schedule_name text,
  schedule_edge text,
  CONSTRAINT config_versions_pkey PRIMARY KEY (game_id, environment, version)
);

CREATE TABLE daily_event_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  event_name text NOT NULL,
  key_id uuid NOT NULL,
  event_count bigint NOT NULL,
  CONSTRAINT daily_event_counts_pkey PRIMARY KEY (game_id, environment, day, event_name, key_id)
) WITH (fillfactor=80);

CREATE TABLE daily_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  active_players bigint NOT NULL,
  new_players bigint NOT NULL,
  weekly_change bigint NOT NULL,
  monthly_change bigint NOT NULL,
  CONSTRAINT daily_players_pkey PRIMARY KEY (game_id, environment, day)
) WITH (fillfactor=50);

CREATE TABLE daily_receipts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  event_count bigint NOT NULL,
  late_count bigint NOT NULL,
  wrong_clock_count bigint NOT NULL,
  CONSTRAINT daily_receipts_pkey PRIMARY KEY (game_id, environment, day, key_id)
) WITH (fillfactor=50);

CREATE TABLE daily_sessions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  length_class integer NOT NULL,
  session_count bigint NOT NULL,
  player_session_count bigint NOT NULL,
  total_seconds bigint NOT NULL,
  CONSTRAINT daily_sessions_pkey PRIMARY KEY (game_id, environment, day, length_class)
) WITH (fillfactor=50);

CREATE TABLE daily_track_problems (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  event_name text NOT NULL,
  warned_count bigint NOT NULL,
  refused_count bigint NOT NULL,
  repeated_count bigint NOT NULL,
  CONSTRAINT daily_track_problems_pkey PRIMARY KEY (game_id, environment, day, key_id, event_name)
);

CREATE TABLE dashboard_links (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  dashboard_id uuid NOT NULL,
  environment environment NOT NULL,
  token_hash text NOT NULL,
  note text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  created_by text,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT dashboard_links_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE dashboards (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  name text NOT NULL,
  "position" integer NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  cards jsonb NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_by text,
  CONSTRAINT dashboards_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE event_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  quarter timestamp with time zone NOT NULL,
  event_name text NOT NULL,
  key_id uuid NOT NULL,
  event_count bigint NOT NULL,
  CONSTRAINT event_counts_pkey PRIMARY KEY (game_id, environment, quarter, event_name, key_id)
) WITH (fillfactor=80);

CREATE TABLE event_export_batches (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  first_received_at timestamp with time zone NOT NULL,
  batch_id uuid DEFAULT gen_random_uuid() NOT NULL,
  day date NOT NULL,
  inbox_ids bigint[] NOT NULL,
  received_at timestamp with time zone[] NOT NULL,
  event_count integer NOT NULL,
  bytes bigint NOT NULL,
  stored_at timestamp with time zone DEFAULT now() NOT NULL,
  is_planned boolean DEFAULT false NOT NULL,
  CONSTRAINT event_export_batches_pkey PRIMARY KEY (game_id, environment, first_received_at, batch_id)
);

CREATE TABLE event_exports (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  history_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  history_id bigint DEFAULT '-1'::integer NOT NULL,
  history_ends_at timestamp with time zone,
  is_history_done boolean DEFAULT false NOT NULL,
  file_count bigint DEFAULT 0 NOT NULL,
  file_name text,
  file_ends_at timestamp with time zone,
  file_ends_id bigint,
  last_file_at timestamp with time zone,
  CONSTRAINT event_exports_pkey PRIMARY KEY (game_id, environment)
);

CREATE TABLE event_holds (
  game_id uuid NOT NULL,
  held_at timestamp with time zone DEFAULT now() NOT NULL,
  for_stats boolean DEFAULT false NOT NULL,
  CONSTRAINT event_holds_pkey PRIMARY KEY (game_id)
);

CREATE TABLE event_idempotency_keys (
  game_id uuid NOT NULL,
  key_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  body_hash text NOT NULL,
  answer text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT event_idempotency_keys_pkey PRIMARY KEY (game_id, key_id, idempotency_key)
);

CREATE TABLE event_inbox (
  game_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  environment environment NOT NULL,
  key_id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL,
  event_count integer NOT NULL,
  body text NOT NULL,
  CONSTRAINT event_inbox_pkey PRIMARY KEY (game_id, id)
) WITH (autovacuum_analyze_threshold=100000, autovacuum_vacuum_insert_threshold=-1, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000);

ALTER TABLE event_inbox ALTER COLUMN body SET STORAGE EXTERNAL;

CREATE TABLE event_key_usage (
  game_id uuid NOT NULL,
  month date NOT NULL,
  key_id uuid NOT NULL,
  environment environment NOT NULL,
  event_count bigint NOT NULL,
  CONSTRAINT event_key_usage_pkey PRIMARY KEY (game_id, month, key_id)
) WITH (fillfactor=50);

CREATE TABLE event_problems (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  key_id uuid NOT NULL,
  kind_hash text NOT NULL,
  kind text NOT NULL,
  event_name text NOT NULL,
  path text NOT NULL,
  message text NOT NULL,
  event_count bigint NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  sample text,
  sample_at timestamp with time zone,
  player_id text,
  CONSTRAINT event_problems_pkey PRIMARY KEY (game_id, environment, key_id, kind_hash)
);

CREATE TABLE event_quarantine (
  game_id uuid NOT NULL,
  inbox_id bigint NOT NULL,
  environment environment NOT NULL,
  key_id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL,
  event_count integer NOT NULL,
  body text NOT NULL,
  reason text NOT NULL,
  quarantined_at timestamp with time zone NOT NULL,
  CONSTRAINT event_quarantine_pkey PRIMARY KEY (game_id, inbox_id)
);

CREATE TABLE event_schemas (
  game_id uuid NOT NULL,
  event_name text NOT NULL,
  schema text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT event_schemas_pkey PRIMARY KEY (game_id, event_name)
);

CREATE TABLE event_usage (
  game_id uuid NOT NULL,
  month date NOT NULL,
  used bigint NOT NULL,
  last_accepted bigint NOT NULL,
  quota bigint NOT NULL,
  CONSTRAINT event_usage_pkey PRIMARY KEY (game_id, month)
) WITH (fillfactor=50);

CREATE TABLE events (
  id bigint NOT NULL,
  received_at timestamp with time zone NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  client_timestamp timestamp with time zone,
  environment environment NOT NULL,
  game_id uuid NOT NULL,
  key_id uuid NOT NULL,
  event_name text NOT NULL,
  session_id text NOT NULL,
  player_id text,
  properties jsonb NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (game_id, environment, received_at, id)
) PARTITION BY RANGE (received_at);

CREATE TABLE experiment_days (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  experiment_id uuid NOT NULL,
  day date NOT NULL,
  changes integer DEFAULT 0 NOT NULL,
  basis text,
  outcomes jsonb,
  CONSTRAINT experiment_days_pkey PRIMARY KEY (game_id, environment, experiment_id, day)
);

CREATE TABLE experiment_exposures (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  experiment_id uuid NOT NULL,
  variant smallint NOT NULL,
  exposed_at timestamp with time zone NOT NULL,
  is_mixed boolean DEFAULT false NOT NULL,
  CONSTRAINT experiment_exposures_pkey PRIMARY KEY (game_id, environment, player_id, experiment_id)
);

CREATE TABLE experiments (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  experiment_id uuid DEFAULT gen_random_uuid() NOT NULL,
  state experiment_state DEFAULT 'draft'::experiment_state NOT NULL,
  name text NOT NULL,
  description text,
  share double precision NOT NULL,
  definition text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  created_by text,
  started_at timestamp with time zone,
  stopped_at timestamp with time zone,
  shipped_variant smallint,
  CONSTRAINT experiments_pkey PRIMARY KEY (game_id, environment, experiment_id)
);

CREATE TABLE game_deletions (
  game_id uuid NOT NULL,
  deleted_at timestamp with time zone DEFAULT now() NOT NULL,
  next_sweep_at timestamp with time zone DEFAULT now() NOT NULL,
  tenant_group smallint DEFAULT 0 NOT NULL,
  CONSTRAINT game_deletions_pkey PRIMARY KEY (game_id)
);

CREATE TABLE game_members (
  game_id uuid NOT NULL,
  account_id uuid NOT NULL,
  role game_role NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  from_groups boolean DEFAULT false NOT NULL,
  CONSTRAINT game_members_pkey PRIMARY KEY (game_id, account_id)
);

CREATE TABLE game_storage (
  game_id uuid NOT NULL,
  resource counted_resource NOT NULL,
  used bigint NOT NULL,
  CONSTRAINT game_storage_pkey PRIMARY KEY (game_id, resource)
);

CREATE TABLE games (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  tier game_tier DEFAULT 'free'::game_tier NOT NULL,
  event_validation event_validation DEFAULT 'off'::event_validation NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  events_kept_since timestamp with time zone,
  limit_overrides jsonb DEFAULT '{}'::jsonb NOT NULL,
  player_name_property text,
  development_event_validation event_validation,
  tenant_group smallint DEFAULT 0 NOT NULL,
  forked_from uuid,
  advanced_days integer DEFAULT 0 NOT NULL,
  CONSTRAINT games_pkey PRIMARY KEY (id)
);

CREATE TABLE granted_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  grant_id uuid NOT NULL,
  unlocked_at timestamp with time zone NOT NULL,
  CONSTRAINT granted_players_pkey PRIMARY KEY (game_id, environment, player_id, grant_id)
);

CREATE TABLE group_migrations (
  tenant_group smallint NOT NULL,
  name text NOT NULL,
  CONSTRAINT group_migrations_pkey PRIMARY KEY (tenant_group, name)
);

CREATE TABLE hourly_save_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  hour timestamp with time zone NOT NULL,
  saves bigint NOT NULL,
  conflicts bigint NOT NULL,
  is_announced boolean DEFAULT false NOT NULL,
  CONSTRAINT hourly_save_counts_pkey PRIMARY KEY (game_id, environment, hour)
);

CREATE TABLE installation (
  name text NOT NULL,
  value text NOT NULL,
  CONSTRAINT installation_pkey PRIMARY KEY (name)
);

CREATE TABLE invitations (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  email text COLLATE "C" NOT NULL,
  role game_role NOT NULL,
  invited_by text,
  token_hash text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  link_shown boolean DEFAULT false NOT NULL,
  CONSTRAINT invitations_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE leaderboard_changes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  version bigint NOT NULL,
  previous_version bigint NOT NULL,
  changes text NOT NULL,
  CONSTRAINT leaderboard_changes_pkey PRIMARY KEY (game_id, environment, board_name, season, version)
);

ALTER TABLE leaderboard_changes ALTER COLUMN changes SET STORAGE EXTERNAL;

CREATE TABLE leaderboard_decisions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  board_name text NOT NULL,
  decision_id uuid NOT NULL,
  kind leaderboard_decision_kind NOT NULL,
  player_id text,
  reason text,
  score_count integer DEFAULT 0 NOT NULL,
  decided_by uuid,
  decided_at timestamp with time zone DEFAULT now() NOT NULL,
  undone_at timestamp with time zone,
  scores jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT leaderboard_decisions_pkey PRIMARY KEY (game_id, environment, decision_id)
);

CREATE TABLE leaderboard_entries (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  entry_number integer NOT NULL,
  score double precision NOT NULL,
  seq bigint NOT NULL,
  player_name text,
  metadata text,
  updated_at timestamp with time zone NOT NULL,
  tie_value double precision,
  CONSTRAINT leaderboard_entries_pkey PRIMARY KEY (game_id, environment, player_id, board_name, season)
) WITH (fillfactor=85);

ALTER TABLE leaderboard_entries ALTER COLUMN metadata SET STORAGE EXTERNAL;

CREATE TABLE leaderboard_held_scores (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  held_id uuid DEFAULT gen_random_uuid() NOT NULL,
  state leaderboard_held_state DEFAULT 'waiting'::leaderboard_held_state NOT NULL,
  score double precision NOT NULL,
  seq bigint NOT NULL,
  player_name text,
  metadata text,
  reached_at timestamp with time zone NOT NULL,
  score_before double precision,
  rule text,
  key_id uuid,
  is_verified boolean,
  network text,
  decision_id uuid,
  replaced_score double precision,
  replaced_seq bigint,
  replaced_player_name text,
  replaced_metadata text,
  replaced_reached_at timestamp with time zone,
  quarantined_by uuid,
  tie_value double precision,
  replaced_tie_value double precision,
  CONSTRAINT leaderboard_held_scores_pkey PRIMARY KEY (game_id, environment, player_id, board_name, season, held_id)
);

ALTER TABLE leaderboard_held_scores ALTER COLUMN metadata SET STORAGE EXTERNAL;

ALTER TABLE leaderboard_held_scores ALTER COLUMN replaced_metadata SET STORAGE EXTERNAL;

CREATE TABLE leaderboard_reward_runs (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  rewards json NOT NULL,
  state text DEFAULT 'waiting'::text NOT NULL,
  began_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT leaderboard_reward_runs_pkey PRIMARY KEY (game_id, environment, board_name, season)
);

CREATE TABLE leaderboard_rewarded_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  rank integer,
  reward smallint,
  state text NOT NULL,
  message_id uuid DEFAULT gen_random_uuid() NOT NULL,
  given_at timestamp with time zone,
  CONSTRAINT leaderboard_rewarded_players_pkey PRIMARY KEY (game_id, environment, player_id, board_name, season)
);

CREATE TABLE leaderboard_seasons (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  board_name text NOT NULL,
  season integer NOT NULL,
  sort_order leaderboard_order NOT NULL,
  version bigint NOT NULL,
  total_entries integer DEFAULT 0 NOT NULL,
  next_entry_number integer DEFAULT 0 NOT NULL,
  next_seq bigint DEFAULT 1 NOT NULL,
  started_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone,
  ended_at timestamp with time zone,
  followed_until timestamp with time zone,
  end_announced_at timestamp with time zone,
  keeps text DEFAULT 'best'::text NOT NULL,
  tie_break text DEFAULT 'none'::text NOT NULL,
  CONSTRAINT leaderboard_seasons_pkey PRIMARY KEY (game_id, environment, board_name, season)
) WITH (fillfactor=50);

CREATE TABLE leaderboard_submit_keys (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  submit_key text NOT NULL,
  body_hash text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT leaderboard_submit_keys_pkey PRIMARY KEY (game_id, environment, player_id, board_name, submit_key)
);

CREATE TABLE leaderboard_submits (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  board_name text NOT NULL,
  version bigint NOT NULL,
  place integer NOT NULL,
  season integer NOT NULL,
  score double precision NOT NULL,
  score_before double precision,
  outcome leaderboard_outcome NOT NULL,
  rule text,
  submitted_at timestamp with time zone NOT NULL,
  counted_ms bigint,
  key_id uuid NOT NULL,
  is_verified boolean NOT NULL,
  network text NOT NULL,
  CONSTRAINT leaderboard_submits_pkey PRIMARY KEY (game_id, environment, player_id, board_name, version, place)
);

CREATE TABLE leaderboards (
  game_id uuid NOT NULL,
  board_name text NOT NULL,
  sort_order leaderboard_order DEFAULT 'descending'::leaderboard_order NOT NULL,
  reset_schedule leaderboard_reset_schedule DEFAULT 'none'::leaderboard_reset_schedule NOT NULL,
  min_score double precision,
  max_score double precision,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  writes_from writes_from DEFAULT 'anyone'::writes_from NOT NULL,
  on_violation leaderboard_violation DEFAULT 'refuse'::leaderboard_violation NOT NULL,
  max_gain double precision,
  first_gain_from double precision,
  max_gain_per_hour double precision,
  min_submit_interval_ms integer,
  required_metadata text[] DEFAULT '{}'::text[] NOT NULL,
  keeps_ledger boolean DEFAULT false NOT NULL,
  ledger_days integer DEFAULT 30 NOT NULL,
  keeps text DEFAULT 'best'::text NOT NULL,
  tie_break text DEFAULT 'none'::text NOT NULL,
  season_rewards json DEFAULT '[]'::json NOT NULL,
  CONSTRAINT leaderboards_pkey PRIMARY KEY (game_id, board_name)
);

CREATE TABLE login_failures (
  email text NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  last_failed_at timestamp with time zone DEFAULT now() NOT NULL,
  locked_until timestamp with time zone,
  CONSTRAINT login_failures_pkey PRIMARY KEY (email)
);

CREATE TABLE login_providers (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  provider text NOT NULL,
  settings jsonb NOT NULL,
  sealed_secret text,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT login_providers_pkey PRIMARY KEY (game_id, environment, provider)
);

CREATE TABLE mail_outbox (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  kind text NOT NULL,
  params jsonb NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
  owner text DEFAULT ''::text NOT NULL,
  turn bigint DEFAULT 0 NOT NULL,
  CONSTRAINT mail_outbox_pkey PRIMARY KEY (id)
);

CREATE TABLE message_schedules (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  schedule_id uuid NOT NULL,
  content json NOT NULL,
  hour smallint NOT NULL,
  weekdays smallint[] NOT NULL,
  lasts_hours integer NOT NULL,
  paused boolean NOT NULL,
  next_day date NOT NULL,
  last_sent_at timestamp with time zone,
  problem text,
  author_id uuid,
  author text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT message_schedules_pkey PRIMARY KEY (game_id, environment, schedule_id)
);

CREATE TABLE message_states (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  message_id uuid NOT NULL,
  read_at timestamp with time zone,
  claimed_at timestamp with time zone,
  deleted_at timestamp with time zone,
  rewards json,
  CONSTRAINT message_states_pkey PRIMARY KEY (game_id, environment, player_id, message_id)
);

CREATE TABLE messaged_members (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  part smallint NOT NULL,
  message_id uuid NOT NULL,
  members bytea NOT NULL,
  CONSTRAINT messaged_members_pkey PRIMARY KEY (game_id, environment, part, message_id)
);

CREATE TABLE messages (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  message_id uuid NOT NULL,
  player_id text,
  audience json,
  member_count bigint,
  title text NOT NULL,
  text text NOT NULL,
  translations json NOT NULL,
  data json NOT NULL,
  rewards json NOT NULL,
  reason text NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone,
  sent_at timestamp with time zone NOT NULL,
  created_by text,
  recalled_at timestamp with time zone,
  is_earned boolean DEFAULT false NOT NULL,
  is_sending boolean DEFAULT false NOT NULL,
  members_at timestamp with time zone,
  CONSTRAINT messages_pkey PRIMARY KEY (game_id, environment, message_id)
);

CREATE TABLE metrics (
  game_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  definition jsonb NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT metrics_pkey PRIMARY KEY (game_id, key)
);

CREATE TABLE migrations (
  name text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE older_save_versions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  slot text NOT NULL,
  version bigint NOT NULL,
  data text NOT NULL,
  saved_at timestamp with time zone NOT NULL,
  app_version text,
  CONSTRAINT older_save_versions_pkey PRIMARY KEY (game_id, environment, player_id, slot, version)
);

ALTER TABLE older_save_versions ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE passkeys (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  rp_id text NOT NULL,
  credential_id text NOT NULL,
  public_key text NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id)
);

CREATE TABLE player_activity (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  first_day date NOT NULL,
  player_id text NOT NULL,
  active_days bit varying NOT NULL,
  CONSTRAINT player_activity_pkey PRIMARY KEY (game_id, environment, player_id)
) WITH (fillfactor=80);

CREATE TABLE player_call_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  hour timestamp with time zone NOT NULL,
  with_token bigint NOT NULL,
  without_token bigint NOT NULL,
  CONSTRAINT player_call_counts_pkey PRIMARY KEY (game_id, environment, hour)
);

CREATE TABLE player_changes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  place smallint NOT NULL,
  number integer NOT NULL,
  changed_at timestamp with time zone DEFAULT now() NOT NULL,
  properties json,
  added_tag text,
  removed_tag text,
  CONSTRAINT player_changes_pkey PRIMARY KEY (game_id, environment, player_id, place)
);

CREATE TABLE player_deletions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  deletion_id uuid DEFAULT gen_random_uuid() NOT NULL,
  conditions jsonb NOT NULL,
  player_count bigint NOT NULL,
  deleted_count bigint DEFAULT 0 NOT NULL,
  after_player_id text DEFAULT ''::text NOT NULL,
  begun_at timestamp with time zone DEFAULT now() NOT NULL,
  ended_at timestamp with time zone,
  next_step_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT player_deletions_pkey PRIMARY KEY (game_id, environment)
);

CREATE TABLE player_identities (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  provider text NOT NULL,
  subject text NOT NULL,
  player_id text NOT NULL,
  secret_hash text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  is_claim boolean DEFAULT false NOT NULL,
  issuer text DEFAULT ''::text NOT NULL,
  CONSTRAINT player_identities_pkey PRIMARY KEY (game_id, environment, provider, subject, issuer)
);

CREATE TABLE player_login_sessions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  session_id uuid NOT NULL,
  provider text NOT NULL,
  subject text NOT NULL,
  token_secret text NOT NULL,
  generation integer NOT NULL,
  refreshed_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  opened_at timestamp with time zone DEFAULT now(),
  ended_at timestamp with time zone,
  end_reason text,
  CONSTRAINT player_login_sessions_pkey PRIMARY KEY (game_id, environment, player_id, session_id)
) WITH (fillfactor=85);

CREATE TABLE player_merges (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  from_player_id text NOT NULL,
  player_id text NOT NULL,
  merged_at timestamp with time zone DEFAULT now() NOT NULL,
  completed_at timestamp with time zone,
  event_count bigint NOT NULL,
  moved_event_count bigint DEFAULT 0 NOT NULL,
  changes jsonb NOT NULL,
  CONSTRAINT player_merges_pkey PRIMARY KEY (game_id, environment, from_player_id)
);

CREATE TABLE player_move_codes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  code text NOT NULL,
  player_id text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_by text,
  is_claim boolean DEFAULT false NOT NULL,
  CONSTRAINT player_move_codes_pkey PRIMARY KEY (game_id, environment, code)
);

CREATE TABLE player_name_builds (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text DEFAULT ''::text NOT NULL,
  player_count bigint DEFAULT 0 NOT NULL,
  is_usable boolean DEFAULT false NOT NULL,
  next_step_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT player_name_builds_pkey PRIMARY KEY (game_id, environment)
);

CREATE TABLE player_name_changes (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

CREATE TABLE player_names (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  name text,
  CONSTRAINT player_names_pkey PRIMARY KEY (game_id, environment, player_id)
);

CREATE TABLE player_stat_hours (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  key text NOT NULL,
  hour timestamp with time zone NOT NULL,
  aggregation text NOT NULL,
  value numeric NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT player_stat_hours_pkey PRIMARY KEY (game_id, environment, player_id, key, hour)
) WITH (fillfactor=85);

CREATE TABLE player_stats (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  key text NOT NULL,
  aggregation text NOT NULL,
  value numeric NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  base numeric,
  base_at timestamp with time zone,
  CONSTRAINT player_stats_pkey PRIMARY KEY (game_id, environment, player_id, key)
) WITH (fillfactor=85);

CREATE TABLE players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  properties jsonb DEFAULT '{}'::jsonb NOT NULL,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
  change_count integer DEFAULT 0 NOT NULL,
  counted_at timestamp with time zone DEFAULT now(),
  CONSTRAINT players_pkey PRIMARY KEY (game_id, environment, player_id)
) WITH (fillfactor=85);

CREATE TABLE recovery_codes (
  account_id uuid NOT NULL,
  code_hash text NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash)
);

CREATE TABLE releases (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  version text NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  first_started_at timestamp with time zone NOT NULL,
  noticed_at timestamp with time zone NOT NULL,
  start_count integer NOT NULL,
  name text,
  note text,
  is_hidden boolean DEFAULT false NOT NULL,
  weight bigint DEFAULT 0 NOT NULL,
  earliest_starts bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  CONSTRAINT releases_pkey PRIMARY KEY (game_id, environment, version)
);

CREATE TABLE restored_saves (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  slot text NOT NULL,
  restoration_id uuid NOT NULL,
  state text NOT NULL,
  has_played_on boolean NOT NULL,
  bad_version bigint NOT NULL,
  app_version text,
  good_version bigint,
  size_bytes bigint NOT NULL,
  version bigint NOT NULL,
  restored_version bigint,
  CONSTRAINT restored_saves_pkey PRIMARY KEY (game_id, environment, player_id, slot, restoration_id)
);

CREATE TABLE restored_stats (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  key text NOT NULL,
  restoration_id uuid NOT NULL,
  state text NOT NULL,
  is_out_of_bounds boolean NOT NULL,
  value numeric,
  value_after numeric,
  taken jsonb,
  correction numeric,
  CONSTRAINT restored_stats_pkey PRIMARY KEY (game_id, environment, player_id, key, restoration_id)
);

CREATE TABLE retention_counts (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  first_day date NOT NULL,
  day_number integer NOT NULL,
  player_count bigint NOT NULL,
  CONSTRAINT retention_counts_pkey PRIMARY KEY (game_id, environment, first_day, day_number)
) WITH (fillfactor=80);

CREATE TABLE revenue_settings (
  game_id uuid NOT NULL,
  settings jsonb NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT revenue_settings_pkey PRIMARY KEY (game_id)
);

CREATE TABLE save_restorations (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  restoration_id uuid NOT NULL,
  state text DEFAULT 'counting'::text NOT NULL,
  question jsonb NOT NULL,
  played_on text,
  problem text,
  created_by text,
  created_at timestamp with time zone NOT NULL,
  counted_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  undo_begun_at timestamp with time zone,
  undone_at timestamp with time zone,
  after_player_id text DEFAULT ''::text NOT NULL,
  saves_to_count bigint,
  counted_saves bigint DEFAULT 0 NOT NULL,
  counted_players bigint DEFAULT 0 NOT NULL,
  player_count bigint DEFAULT 0 NOT NULL,
  save_count bigint DEFAULT 0 NOT NULL,
  played_on_count bigint DEFAULT 0 NOT NULL,
  hopeless_count bigint DEFAULT 0 NOT NULL,
  restored_count bigint DEFAULT 0 NOT NULL,
  skipped_count bigint DEFAULT 0 NOT NULL,
  undone_count bigint DEFAULT 0 NOT NULL,
  kept_count bigint DEFAULT 0 NOT NULL,
  next_step_at timestamp with time zone NOT NULL,
  CONSTRAINT save_restorations_pkey PRIMARY KEY (game_id, environment, restoration_id)
);

CREATE TABLE save_versions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  place smallint NOT NULL,
  version bigint NOT NULL,
  data text NOT NULL,
  saved_at timestamp with time zone NOT NULL,
  slot text DEFAULT 'main'::text NOT NULL,
  app_version text,
  CONSTRAINT save_versions_pkey PRIMARY KEY (game_id, environment, player_id, slot, place)
) WITH (fillfactor=85);

ALTER TABLE save_versions ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE saved_reports (
  game_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT saved_reports_pkey PRIMARY KEY (game_id, kind, name)
);

CREATE TABLE saves (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  revision bigint NOT NULL,
  version bigint NOT NULL,
  deleted_at timestamp with time zone,
  slot text DEFAULT 'main'::text NOT NULL,
  saved_at timestamp with time zone,
  hour_ends integer DEFAULT 511 NOT NULL,
  CONSTRAINT saves_pkey PRIMARY KEY (game_id, environment, player_id, slot)
) WITH (fillfactor=80);

CREATE TABLE sdk_calls (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  sdk text NOT NULL,
  version text NOT NULL,
  calls bigint NOT NULL,
  CONSTRAINT sdk_calls_pkey PRIMARY KEY (game_id, environment, day, sdk, version)
);

CREATE TABLE sealed_days (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  version uuid NOT NULL,
  sealed_at timestamp with time zone,
  event_count bigint,
  sessions bytea,
  CONSTRAINT sealed_days_pkey PRIMARY KEY (game_id, environment, day)
);

CREATE TABLE sealed_events (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  day date NOT NULL,
  event_name text NOT NULL,
  part integer NOT NULL,
  column_name text NOT NULL,
  event_count integer NOT NULL,
  data bytea NOT NULL,
  CONSTRAINT sealed_events_pkey PRIMARY KEY (game_id, environment, day, event_name, part, column_name)
);

CREATE TABLE sealed_players (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  number bigint NOT NULL,
  player_id text NOT NULL,
  merge_number bigint DEFAULT 0 NOT NULL,
  CONSTRAINT sealed_players_pkey PRIMARY KEY (game_id, environment, number)
);

CREATE TABLE sealed_tenants (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  next_number bigint DEFAULT 0 NOT NULL,
  merge_count bigint DEFAULT 0 NOT NULL,
  session_seed bigint NOT NULL,
  CONSTRAINT sealed_tenants_pkey PRIMARY KEY (game_id, environment)
);

CREATE TABLE second_factor_challenges (
  challenge_hash text NOT NULL,
  account_id uuid NOT NULL,
  purpose second_factor_purpose NOT NULL,
  sealed_secret text,
  token_generation integer NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT second_factor_challenges_pkey PRIMARY KEY (challenge_hash)
);

CREATE TABLE sessions (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  player_id text NOT NULL,
  session_id text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  last_event_at timestamp with time zone NOT NULL,
  event_count bigint NOT NULL,
  previous_started_at timestamp with time zone,
  previous_last_event_at timestamp with time zone,
  CONSTRAINT sessions_pkey PRIMARY KEY (game_id, environment, player_id, session_id)
) WITH (fillfactor=80);

CREATE TABLE share_settings (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  shares jsonb NOT NULL,
  CONSTRAINT share_settings_pkey PRIMARY KEY (game_id, environment)
);

CREATE TABLE stat_request_keys (
  game_id uuid NOT NULL,
  key_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  body_hash text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  sender bigint,
  CONSTRAINT stat_request_keys_pkey PRIMARY KEY (game_id, key_id, idempotency_key)
);

CREATE TABLE stat_restorations (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  restoration_id uuid NOT NULL,
  state text DEFAULT 'counting'::text NOT NULL,
  question jsonb NOT NULL,
  out_of_bounds text,
  problem text,
  created_by text,
  created_at timestamp with time zone NOT NULL,
  counted_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  undo_begun_at timestamp with time zone,
  undone_at timestamp with time zone,
  after_player_id text DEFAULT ''::text NOT NULL,
  values_to_count bigint,
  counted_values bigint DEFAULT 0 NOT NULL,
  counted_players bigint DEFAULT 0 NOT NULL,
  player_count bigint DEFAULT 0 NOT NULL,
  value_count bigint DEFAULT 0 NOT NULL,
  out_of_bounds_count bigint DEFAULT 0 NOT NULL,
  restored_count bigint DEFAULT 0 NOT NULL,
  skipped_count bigint DEFAULT 0 NOT NULL,
  undone_count bigint DEFAULT 0 NOT NULL,
  kept_count bigint DEFAULT 0 NOT NULL,
  next_step_at timestamp with time zone NOT NULL,
  CONSTRAINT stat_restorations_pkey PRIMARY KEY (game_id, environment, restoration_id)
);

CREATE TABLE stats (
  game_id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  aggregation text NOT NULL,
  minimum numeric,
  maximum numeric,
  max_change numeric,
  writes_from writes_from DEFAULT 'anyone'::writes_from NOT NULL,
  archived boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  source jsonb,
  is_counted boolean DEFAULT false NOT NULL,
  CONSTRAINT stats_pkey PRIMARY KEY (game_id, key)
);

CREATE TABLE storage_changes (
  game_id uuid NOT NULL,
  resource counted_resource NOT NULL,
  change bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

CREATE TABLE time_zone_changes (
  game_id uuid NOT NULL,
  time_zone text NOT NULL,
  requested_at timestamp with time zone DEFAULT now() NOT NULL,
  progress real DEFAULT 0 NOT NULL,
  CONSTRAINT time_zone_changes_pkey PRIMARY KEY (game_id)
);

CREATE TABLE totp_factors (
  account_id uuid NOT NULL,
  sealed_secret text NOT NULL,
  last_step bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT totp_factors_pkey PRIMARY KEY (account_id)
);

CREATE TABLE totp_failures (
  account_id uuid NOT NULL,
  failures integer NOT NULL,
  locked_until timestamp with time zone,
  CONSTRAINT totp_failures_pkey PRIMARY KEY (account_id)
);

CREATE TABLE used_login_tokens (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  token_hash text NOT NULL,
  used_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT used_login_tokens_pkey PRIMARY KEY (game_id, environment, token_hash)
);

CREATE TABLE verification_settings (
  game_id uuid NOT NULL,
  environment environment NOT NULL,
  verification verification_mode NOT NULL,
  allows_claims boolean DEFAULT true NOT NULL,
  CONSTRAINT verification_settings_pkey PRIMARY KEY (game_id, environment)
);

CREATE TABLE webhook_deliveries (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  webhook_id uuid NOT NULL,
  event_type text NOT NULL,
  environment environment,
  player_id text,
  body text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  next_attempt_at timestamp with time zone DEFAULT now(),
  attempts integer DEFAULT 0 NOT NULL,
  step integer DEFAULT 0 NOT NULL,
  leased_until timestamp with time zone,
  delivered_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  answer_status integer,
  answer_text text,
  error text,
  duration_ms integer,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (game_id, id)
);

CREATE TABLE webhooks (
  game_id uuid NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  environments text[] NOT NULL,
  events text[] NOT NULL,
  sealed_secret text NOT NULL,
  old_sealed_secret text,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  disabled_at timestamp with time zone,
  disabled_reason text,
  failing_since timestamp with time zone,
  dropped_count bigint DEFAULT 0 NOT NULL,
  CONSTRAINT webhooks_pkey PRIMARY KEY (game_id, id)
);

CREATE INDEX access_token_games_token ON access_token_games USING btree (token_id);

CREATE INDEX access_tokens_account ON access_tokens USING btree (account_id, created_at, id);

CREATE INDEX account_devices_account ON account_devices USING btree (account_id);

CREATE INDEX account_sessions_account ON account_sessions USING btree (account_id);

CREATE INDEX account_tokens_account ON account_tokens USING btree (account_id);

CREATE UNIQUE INDEX accounts_email ON accounts USING btree (lower(email));

CREATE UNIQUE INDEX accounts_folded_email ON accounts USING btree (fold_text(email));

CREATE INDEX achievement_grants_open ON achievement_grants USING btree (next_piece_at) WHERE (ended_at IS NULL);

CREATE INDEX achievement_unlocks_key ON achievement_unlocks USING btree (achievement_key, game_id, environment);

CREATE INDEX alert_changes_age ON alert_changes USING btree (at);

CREATE INDEX alert_changes_of_alert ON alert_changes USING btree (game_id, alert_id, at DESC, id DESC);

CREATE INDEX alerts_due ON alerts USING btree (next_check_at);

CREATE INDEX annotations_day ON annotations USING btree (game_id, environment, day);

CREATE UNIQUE INDEX api_keys_hash ON api_keys USING btree (key_hash);

CREATE INDEX audit_log_account ON audit_log USING btree (account_id, id);

CREATE INDEX audit_log_game ON audit_log USING btree (game_id, id);

CREATE INDEX audit_log_moments ON audit_log USING btree (game_id, at) WHERE (action = ANY (ARRAY['put_config'::text, 'roll_back_config'::text, 'start_config_schedule'::text, 'end_config_schedule'::text, 'rotate_api_key'::text]));

CREATE INDEX audit_log_player ON audit_log USING btree (game_id, "left"(COALESCE((details ->> 'player_id'::text), target), 255) COLLATE "C", ((details ->> 'environment'::text)) COLLATE "C", at, id);

CREATE INDEX config_schedules_due ON config_schedules USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX dashboard_links_dashboard ON dashboard_links USING btree (game_id, dashboard_id);

CREATE INDEX dashboard_links_token ON dashboard_links USING btree (token_hash);

CREATE INDEX event_export_batches_planned ON event_export_batches USING btree (game_id, environment) WHERE is_planned;

CREATE INDEX event_export_batches_stored_at ON event_export_batches USING btree (stored_at);

CREATE INDEX event_idempotency_keys_expiry ON event_idempotency_keys USING btree (expires_at);

CREATE INDEX event_inbox_order ON event_inbox USING btree (id);

CREATE INDEX events_name ON ONLY events USING btree (game_id, environment, event_name, received_at, id) INCLUDE (occurred_at, player_id);

CREATE INDEX events_player ON ONLY events USING btree (game_id, environment, player_id, received_at, id) WHERE (player_id IS NOT NULL);

CREATE INDEX experiment_exposures_experiment ON experiment_exposures USING btree (experiment_id);

CREATE INDEX game_members_account ON game_members USING btree (account_id);

CREATE INDEX granted_players_grant ON granted_players USING btree (game_id, grant_id, player_id);

CREATE INDEX hourly_save_counts_age ON hourly_save_counts USING btree (hour);

CREATE UNIQUE INDEX invitations_email ON invitations USING btree (game_id, lower(email));

CREATE UNIQUE INDEX invitations_folded_email ON invitations USING btree (game_id, fold_text(email));

CREATE UNIQUE INDEX invitations_token ON invitations USING btree (token_hash);

CREATE UNIQUE INDEX leaderboard_decisions_bans ON leaderboard_decisions USING btree (game_id, environment, player_id, board_name) WHERE ((kind = 'ban'::leaderboard_decision_kind) AND (undone_at IS NULL));

CREATE INDEX leaderboard_decisions_order ON leaderboard_decisions USING btree (game_id, environment, board_name, decided_at);

CREATE UNIQUE INDEX leaderboard_entries_number ON leaderboard_entries USING btree (game_id, environment, board_name, season, entry_number);

CREATE INDEX leaderboard_held_scores_decision ON leaderboard_held_scores USING btree (game_id, decision_id) WHERE (decision_id IS NOT NULL);

CREATE INDEX leaderboard_held_scores_order ON leaderboard_held_scores USING btree (game_id, environment, board_name, season, seq) WHERE (state = 'waiting'::leaderboard_held_state);

CREATE UNIQUE INDEX leaderboard_held_scores_waiting ON leaderboard_held_scores USING btree (game_id, environment, board_name, season, player_id) WHERE (state = 'waiting'::leaderboard_held_state);

CREATE INDEX leaderboard_reward_runs_open ON leaderboard_reward_runs USING btree (began_at) WHERE (state <> 'done'::text);

CREATE INDEX leaderboard_rewarded_players_open ON leaderboard_rewarded_players USING btree (game_id, environment, board_name, season, state, rank) WHERE (state = ANY (ARRAY['held'::text, 'due'::text]));

CREATE INDEX leaderboard_rewarded_players_rank ON leaderboard_rewarded_players USING btree (game_id, environment, board_name, season, rank);

CREATE INDEX leaderboard_seasons_to_announce ON leaderboard_seasons USING btree (ends_at) WHERE ((end_announced_at IS NULL) AND (ended_at IS NULL) AND (ends_at IS NOT NULL));

CREATE INDEX leaderboard_submit_keys_expiry ON leaderboard_submit_keys USING btree (expires_at);

CREATE INDEX leaderboard_submits_age ON leaderboard_submits USING btree (game_id, environment, board_name, version);

CREATE INDEX mail_outbox_due ON mail_outbox USING btree (next_attempt_at);

CREATE INDEX mail_outbox_owners ON mail_outbox USING btree (owner, turn);

CREATE INDEX message_schedules_due ON message_schedules USING btree (next_day) WHERE (NOT paused);

CREATE INDEX message_states_message ON message_states USING btree (message_id, game_id, environment, player_id);

CREATE INDEX messages_over ON messages USING btree (LEAST(ends_at, recalled_at)) WHERE ((ends_at IS NOT NULL) OR (recalled_at IS NOT NULL));

CREATE INDEX messages_player ON messages USING btree (game_id, environment, player_id, starts_at DESC) WHERE (player_id IS NOT NULL);

CREATE INDEX messages_sending ON messages USING btree (game_id, sent_at) WHERE is_sending;

CREATE INDEX messages_sent_at ON messages USING btree (game_id, environment, sent_at DESC, message_id);

CREATE INDEX messages_shared ON messages USING btree (game_id, environment, sent_at DESC) WHERE (player_id IS NULL);

CREATE INDEX passkeys_account ON passkeys USING btree (account_id);

CREATE INDEX player_identities_player ON player_identities USING btree (player_id);

CREATE INDEX player_login_sessions_expiry ON player_login_sessions USING btree (expires_at);

CREATE INDEX player_merges_moving ON player_merges USING btree (merged_at) WHERE (completed_at IS NULL);

CREATE INDEX player_merges_player ON player_merges USING btree (player_id);

CREATE UNIQUE INDEX player_move_codes_player ON player_move_codes USING btree (game_id, environment, player_id);

ALTER TABLE player_name_changes REPLICA IDENTITY FULL;

CREATE INDEX player_names_pieces ON player_names USING gin (search_pieces(game_id, environment, ARRAY["left"((''::text || fold_text(player_id)), 2), (''::text || fold_text(player_id)), "left"((''::text || fold_text(name)), 2), (''::text || fold_text(name))]));

CREATE INDEX player_stat_hours_hour ON player_stat_hours USING btree (hour);

CREATE INDEX player_stats_key ON player_stats USING btree (((key || ''::text)), ((game_id)::text) COLLATE "C");

CREATE INDEX players_first_seen ON players USING btree (game_id, environment, first_seen_at, player_id) WHERE (first_seen_at > '-infinity'::timestamp with time zone);

CREATE INDEX players_last_seen ON players USING btree (game_id, environment, last_seen_at, player_id) WHERE (last_seen_at > '-infinity'::timestamp with time zone);

CREATE INDEX restored_saves_of_restoration ON restored_saves USING btree (game_id, environment, restoration_id, state, has_played_on, player_id, slot);

CREATE INDEX restored_stats_of_restoration ON restored_stats USING btree (game_id, environment, restoration_id, state, player_id, key);

CREATE INDEX save_restorations_active ON save_restorations USING btree (next_step_at) WHERE (state = ANY (ARRAY['counting'::text, 'running'::text, 'undoing'::text, 'deleting'::text]));

CREATE INDEX sealed_players_merged ON sealed_players USING btree (game_id, environment, merge_number) WHERE (merge_number > 0);

CREATE INDEX sealed_players_player ON sealed_players USING btree (game_id, environment, player_id, number);

CREATE INDEX second_factor_challenges_account ON second_factor_challenges USING btree (account_id);

CREATE INDEX second_factor_challenges_expiry ON second_factor_challenges USING btree (expires_at);

CREATE INDEX sessions_of_player ON sessions USING btree (game_id, environment, player_id, started_at DESC, session_id);

CREATE INDEX sessions_started ON sessions USING btree (game_id, environment, started_at) WHERE (started_at > '-infinity'::timestamp with time zone);

CREATE INDEX stat_request_keys_expiry ON stat_request_keys USING btree (expires_at);

CREATE INDEX stat_request_keys_sender ON stat_request_keys USING btree (game_id, sender, expires_at);

CREATE INDEX stat_restorations_active ON stat_restorations USING btree (next_step_at) WHERE (state = ANY (ARRAY['counting'::text, 'running'::text, 'undoing'::text, 'deleting'::text]));

CREATE INDEX stats_with_source ON stats USING btree (game_id) WHERE (source IS NOT NULL);

ALTER TABLE storage_changes REPLICA IDENTITY FULL;

CREATE INDEX used_login_tokens_expiry ON used_login_tokens USING btree (expires_at);

CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_player ON webhook_deliveries USING btree (game_id, environment, player_id) WHERE (player_id IS NOT NULL);

CREATE INDEX webhook_deliveries_record ON webhook_deliveries USING btree (game_id, webhook_id, created_at DESC, id DESC);

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (game_id, webhook_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);

ALTER TABLE access_token_games ADD CONSTRAINT access_token_games_game_id_account_id_fkey FOREIGN KEY (game_id, account_id) REFERENCES game_members(game_id, account_id) ON DELETE CASCADE;

ALTER TABLE access_token_games ADD CONSTRAINT access_token_games_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_tokens(id) ON DELETE CASCADE;

ALTER TABLE access_tokens ADD CONSTRAINT access_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_devices ADD CONSTRAINT account_devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_identities ADD CONSTRAINT account_identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_sessions ADD CONSTRAINT account_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE account_tokens ADD CONSTRAINT account_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE achievements ADD CONSTRAINT achievements_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE alerts ADD CONSTRAINT alerts_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE annotations ADD CONSTRAINT annotations_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE announced_quota_steps ADD CONSTRAINT announced_quota_steps_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE api_keys ADD CONSTRAINT api_keys_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE config_schedules ADD CONSTRAINT config_schedules_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE config_versions ADD CONSTRAINT config_versions_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE dashboard_links ADD CONSTRAINT dashboard_links_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE dashboards ADD CONSTRAINT dashboards_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE event_schemas ADD CONSTRAINT event_schemas_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE experiment_days ADD CONSTRAINT experiment_days_game_id_environment_experiment_id_fkey FOREIGN KEY (game_id, environment, experiment_id) REFERENCES experiments(game_id, environment, experiment_id) ON DELETE CASCADE;

ALTER TABLE experiments ADD CONSTRAINT experiments_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE game_members ADD CONSTRAINT game_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE game_members ADD CONSTRAINT game_members_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE invitations ADD CONSTRAINT invitations_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE leaderboards ADD CONSTRAINT leaderboards_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE metrics ADD CONSTRAINT metrics_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE passkeys ADD CONSTRAINT passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE revenue_settings ADD CONSTRAINT revenue_settings_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE saved_reports ADD CONSTRAINT saved_reports_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

ALTER TABLE second_factor_challenges ADD CONSTRAINT second_factor_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE totp_factors ADD CONSTRAINT totp_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE totp_failures ADD CONSTRAINT totp_failures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

ALTER TABLE webhooks ADD CONSTRAINT webhooks_game_id_fkey FOREIGN KEY (game_id) REFERENCES games(id) ON DELETE CASCADE;

CREATE TRIGGER leaderboard_entries_added AFTER INSERT ON leaderboard_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_rows('leaderboard_entries');

CREATE TRIGGER leaderboard_entries_removed AFTER DELETE ON leaderboard_entries REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_rows('leaderboard_entries');

CREATE TRIGGER leaderboard_held_scores_added AFTER INSERT ON leaderboard_held_scores REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_waiting_scores();

CREATE TRIGGER leaderboard_held_scores_changed AFTER UPDATE ON leaderboard_held_scores REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_waiting_scores();

CREATE TRIGGER leaderboard_held_scores_removed AFTER DELETE ON leaderboard_held_scores REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_waiting_scores();

CREATE TRIGGER leaderboard_submits_added AFTER INSERT ON leaderboard_submits REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_rows('ledger_rows');

CREATE TRIGGER leaderboard_submits_removed AFTER DELETE ON leaderboard_submits REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_rows('ledger_rows');

CREATE TRIGGER older_save_versions_added AFTER INSERT ON older_save_versions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_save_bytes();

CREATE TRIGGER older_save_versions_removed AFTER DELETE ON older_save_versions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_save_bytes();

CREATE TRIGGER players_added AFTER INSERT ON players REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_players();

CREATE TRIGGER players_named AFTER UPDATE OF counted_at ON players FOR EACH ROW WHEN (((old.counted_at IS NULL) AND (new.counted_at IS NOT NULL))) EXECUTE FUNCTION count_named_player();

CREATE TRIGGER players_removed AFTER DELETE ON players REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_players();

CREATE TRIGGER save_versions_added AFTER INSERT ON save_versions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_save_bytes();

CREATE TRIGGER save_versions_removed AFTER DELETE ON save_versions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_save_bytes();

CREATE TRIGGER save_versions_replaced AFTER UPDATE ON save_versions REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_replaced_save_bytes();
