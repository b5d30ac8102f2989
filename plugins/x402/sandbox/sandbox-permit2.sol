// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

struct TokenPermissions {
    address token;
    uint256 amount;
}
struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}
struct SignatureTransferDetails {
    address to;
    uint256 requestedAmount;
}

struct EIP2612Permit {
    uint256 value;
    uint256 deadline;
    bytes32 r;
    bytes32 s;
    uint8 v;
}

interface IERC20 {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function permit(
        address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s
    ) external;
}

/// @title The part of Permit2 that x402 uses: transfers by signature with a witness.
/// Its code is planted with anvil_setCode at the address that Permit2 has on every chain.
contract SandboxPermit2 {
    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant TOKEN_PERMISSIONS_TYPEHASH =
        keccak256("TokenPermissions(address token,uint256 amount)");

    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    error InvalidAmount(uint256 maxAmount);
    error InvalidContractSignature();
    error InvalidNonce();
    error InvalidSignature();
    error InvalidSignatureLength();
    error InvalidSigner();
    error SignatureExpired(uint256 signatureDeadline);

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
    }

    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit, SignatureTransferDetails calldata transferDetails, address owner,
        bytes32 witness, string calldata witnessTypeString, bytes calldata signature
    ) external {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (transferDetails.requestedAmount > permit.permitted.amount) revert InvalidAmount(permit.permitted.amount);
        use(owner, permit.nonce);
        bytes32 typehash = keccak256(abi.encodePacked(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
            witnessTypeString
        ));
        bytes32 permitted = keccak256(abi.encode(
            TOKEN_PERMISSIONS_TYPEHASH, permit.permitted.token, permit.permitted.amount
        ));
        bytes32 structHash = keccak256(abi.encode(
            typehash, permitted, msg.sender, permit.nonce, permit.deadline, witness
        ));
        requireSigned(owner, keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash)), signature);
        (bool ok, bytes memory answer) = permit.permitted.token.call(
            abi.encodeCall(IERC20.transferFrom, (owner, transferDetails.to, transferDetails.requestedAmount))
        );
        require(ok && (answer.length == 0 || abi.decode(answer, (bool))), "TRANSFER_FROM_FAILED");
    }

    function use(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        uint256 flipped = nonceBitmap[owner][nonce >> 8] ^= bit;
        if (flipped & bit == 0) revert InvalidNonce();
    }

    /// An account with code answers for itself (EIP-1271); anything else must have signed.
    function requireSigned(address owner, bytes32 digest, bytes calldata signature) private view {
        if (owner.code.length > 0) {
            (bool ok, bytes memory answer) = owner.staticcall(abi.encodeWithSelector(0x1626ba7e, digest, signature));
            if (!ok || answer.length < 32 || bytes32(answer) != bytes32(bytes4(0x1626ba7e))) {
                revert InvalidContractSignature();
            }
            return;
        }
        if (signature.length != 65) revert InvalidSignatureLength();
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        if (signer == address(0)) revert InvalidSignature();
        if (signer != owner) revert InvalidSigner();
    }
}

/// @title x402's proxy of the scheme exact: moves all that was permitted, to the signed receiver only.
contract SandboxExactPermit2Proxy {
    struct Witness {
        address to;
        uint256 validAfter;
    }

    // solhint-disable-next-line var-name-mixedcase
    SandboxPermit2 public constant PERMIT2 = SandboxPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");
    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";

    event Settled();
    event SettledWithPermit();

    error InvalidAmount();
    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    error Permit2612AmountMismatch();

    function settle(
        PermitTransferFrom calldata permit, address owner, Witness calldata witness, bytes calldata signature
    ) external {
        pay(permit, owner, witness, signature);
        emit Settled();
    }

    /// The owner's approval of Permit2 goes first; one that was used before may have sufficed.
    function settleWithPermit(
        EIP2612Permit calldata permit2612, PermitTransferFrom calldata permit, address owner,
        Witness calldata witness, bytes calldata signature
    ) external {
        if (permit2612.value != permit.permitted.amount) revert Permit2612AmountMismatch();
        try IERC20(permit.permitted.token).permit(
            owner, address(PERMIT2), permit2612.value, permit2612.deadline, permit2612.v, permit2612.r, permit2612.s
        ) {} catch {}
        pay(permit, owner, witness, signature);
        emit SettledWithPermit();
    }

    function pay(
        PermitTransferFrom calldata permit, address owner, Witness calldata witness, bytes calldata signature
    ) private {
        if (permit.permitted.amount == 0) revert InvalidAmount();
        if (owner == address(0)) revert InvalidOwner();
        if (witness.to == address(0)) revert InvalidDestination();
        if (block.timestamp < witness.validAfter) revert PaymentTooEarly();
        PERMIT2.permitWitnessTransferFrom(
            permit, SignatureTransferDetails(witness.to, permit.permitted.amount), owner,
            keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.validAfter)), WITNESS_TYPE_STRING, signature
        );
    }
}

/// @title x402's proxy of the scheme upto: the signed facilitator moves at most what was permitted.
contract SandboxUptoPermit2Proxy {
    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    // solhint-disable-next-line var-name-mixedcase
    SandboxPermit2 public constant PERMIT2 = SandboxPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    bytes32 public constant WITNESS_TYPEHASH =
        keccak256("Witness(address to,address facilitator,uint256 validAfter)");
    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";

    event Settled();

    error AmountExceedsPermitted();
    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    error UnauthorizedFacilitator();

    function settle(
        PermitTransferFrom calldata permit, uint256 amount, address owner, Witness calldata witness,
        bytes calldata signature
    ) external {
        if (msg.sender != witness.facilitator) revert UnauthorizedFacilitator();
        if (amount > permit.permitted.amount) revert AmountExceedsPermitted();
        if (owner == address(0)) revert InvalidOwner();
        if (witness.to == address(0)) revert InvalidDestination();
        if (block.timestamp < witness.validAfter) revert PaymentTooEarly();
        PERMIT2.permitWitnessTransferFrom(
            permit, SignatureTransferDetails(witness.to, amount), owner,
            keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.facilitator, witness.validAfter)),
            WITNESS_TYPE_STRING, signature
        );
        emit Settled();
    }
}
