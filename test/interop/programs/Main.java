import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.BeneficiariesApi;
import org.openapitools.client.api.OperationsApi;
import org.openapitools.client.model.CreateBeneficiaryRequest;
import org.openapitools.client.model.Operation;
import org.openapitools.client.model.Problem;

/**
 * A read, a write with its replay, and a refusal, by openapi-generator's java (native). The session's key signs each proof
 * (RFC 9449). The library has no hook that sends a request again, so the program repeats the first read after its challenge.
 */
public class Main {
  static final ObjectMapper json = new ObjectMapper();
  static JsonNode session;
  static PrivateKey key;
  static String nonce;

  static String encode(byte[] data) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(data);
  }

  static void sign(HttpRequest.Builder builder) {
    try {
      HttpRequest request = builder.copy().build();
      String token = session.get("access_token").asText();
      Map<String, Object> claims = new LinkedHashMap<>();
      claims.put("htm", request.method());
      claims.put("htu", request.uri().toString().replaceAll("[?#].*", ""));
      claims.put("ath", encode(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII))));
      claims.put("jti", UUID.randomUUID().toString());
      claims.put("iat", Instant.now().getEpochSecond());
      if (nonce != null) claims.put("nonce", nonce);
      Map<String, Object> header = Map.of("typ", "dpop+jwt", "alg", "ES256", "jwk", session.get("public_jwk"));
      String text = encode(json.writeValueAsBytes(header)) + "." + encode(json.writeValueAsBytes(claims));
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initSign(key);
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      builder.setHeader("Authorization", "DPoP " + token);
      builder.setHeader("DPoP", text + "." + encode(signature.sign()));
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  public static void main(String[] arguments) throws Exception {
    session = json.readTree(Files.readString(Path.of(System.getenv("SESSION_FILE"))));
    String pem = session.get("private_key_pem").asText().replaceAll("-----[A-Z ]+-----|\\s", "");
    key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    ApiClient client = new ApiClient();
    client.updateBaseUri(session.get("base_url").asText());
    client.setRequestInterceptor(Main::sign);
    client.setResponseInterceptor(response -> response.headers().firstValue("DPoP-Nonce").ifPresent(fresh -> nonce = fresh));

    BeneficiariesApi beneficiaries = new BeneficiariesApi(client);
    OperationsApi operations = new OperationsApi(client);
    try {
      beneficiaries.listBeneficiaries(null, 10, null);
      throw new IllegalStateException("a proof without a nonce was taken");
    } catch (ApiException challenge) {
      if (!problemOf(challenge).getCode().equals("use_dpop_nonce")) throw challenge;
    }
    int read = beneficiaries.listBeneficiaries(null, 10, null).getItems().size();
    CreateBeneficiaryRequest body = new CreateBeneficiaryRequest()
        .name("Rent").country("PT").currency("EUR").payoutSchemaId("sepa_pt_eur")
        .putDetailsItem("iban", "PT50000201231234567890154");
    String idempotencyKey = session.get("idempotency_key").asText();
    Operation first = beneficiaries.createBeneficiary(idempotencyKey, body, null);
    Operation second = beneficiaries.createBeneficiary(idempotencyKey, body, null);
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("beneficiaries", read);
    found.put("operation", first.getId().toString());
    found.put("replayed", second.getId().toString());
    found.put("kind", first.getKind());
    found.put("state", second.getState().getValue());
    try {
      operations.getOperation(UUID.fromString(session.get("unknown_operation").asText()), null);
    } catch (ApiException refusal) {
      found.put("problem", problemOf(refusal).getCode());
    }
    System.out.println(json.writeValueAsString(found));
  }

  static Problem problemOf(ApiException error) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(error.getResponseBody(), Problem.class);
  }
}
